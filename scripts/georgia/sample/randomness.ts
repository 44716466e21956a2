/**
 * SQL macros for numbers that look drawn but are computed: each is a function of the seed and a key, such as
 * `attendance/601/0103/2024`. A value depends on no row order, thread, or other place
 * or dataset. MD5, unlike DuckDB's own `hash`, is the same in every version.
 */
export function randomnessMacros(seed: number): readonly string[] {
  const low = `md5_number_lower('${seed}/' || key)`;
  const high = `md5_number_upper('${seed}/' || key)`;
  const half = 4294967296; // 2^32
  return [
    // Uniform in [0, 1): 53 bits, as many as a double holds.
    `CREATE MACRO u(key) AS (${low} >> 11)::DOUBLE / 9007199254740992`,
    // Nearly standard normal, within ±3.47: the sum of four uniforms. Exact arithmetic, the same on any machine.
    `CREATE MACRO n(key) AS sqrt(3) * (
       ((${low} % ${half})::DOUBLE + (${low} // ${half})::DOUBLE
         + (${high} % ${half})::DOUBLE + (${high} // ${half})::DOUBLE) / ${half} - 2)`,
    // A place's own ups and downs: smooth over the years, mean 0, variance about 1, periods of 8 to 16 years.
    `CREATE MACRO drift(key, year) AS
       sqrt(2) * sin(2 * pi() * (year / (8 + 8 * u(key || '/period')) + u(key || '/phase')))`,
    'CREATE MACRO logistic(x) AS 1 / (1 + exp(-x))',
    'CREATE MACRO logit(p) AS ln(p / (1 - p))',
    // How many of `size` have a property of share `p`: binomial in mean and variance, from 0 to size.
    `CREATE MACRO count_of(size, p, key) AS
       least(size, greatest(0, round(size * p + sqrt(size * p * (1 - p)) * n(key))))::BIGINT`,
  ];
}
