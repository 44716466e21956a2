/** Loaded before a measured command: writes what the process used when it ends. CommonJS, so that it costs next to nothing. */
{
  const { writeFileSync } = process.getBuiltinModule('node:fs');
  const file = process.env['CIVIC_BENCH_USAGE'];
  if (file !== undefined)
    process.once('exit', () => writeFileSync(file, JSON.stringify(process.resourceUsage())));
}
