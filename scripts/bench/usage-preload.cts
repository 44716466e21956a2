/** Loaded before a measured command: reports its resources when it ends. CommonJS loads in almost no time. */
{
  const { writeFileSync } = process.getBuiltinModule('node:fs');
  const file = process.env['CIVIC_BENCH_USAGE'];
  if (file !== undefined)
    process.once('exit', () => writeFileSync(file, JSON.stringify(process.resourceUsage())));
}
