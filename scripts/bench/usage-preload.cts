/** Loaded before a measured command: writes what it used when it ends. It's CommonJS because that loads fastest. */
{
  const { writeFileSync } = process.getBuiltinModule('node:fs');
  const file = process.env['CIVIC_BENCH_USAGE'];
  if (file !== undefined)
    process.once('exit', () => writeFileSync(file, JSON.stringify(process.resourceUsage())));
}
