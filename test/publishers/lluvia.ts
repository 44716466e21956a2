import { readContracts } from './contract-text.ts';

export const SPANISH_CONTRACTS = readContracts('publishers/lluvia');

/** Every word of this publisher's that a page may show as it is. */
export const SPANISH_TEXTS = Object.values(SPANISH_CONTRACTS).join('\n');

const TURNOS = "(VALUES ('all', 3), ('dia', 2), ('noche', 1)) s(turno, n)";
const lluvia = (year: number, codigo: string, from: string) =>
  `SELECT ${year}::INTEGER AS year, ${codigo} AS codigo, turno, CASE WHEN n = 1 AND ${year} = 2021 THEN NULL ELSE 12345.5 + i * 100 + ${year % 100} * n END AS lluvia_mm, (n * 20.5)::DOUBLE AS lluvia_mm_moe FROM ${from}, ${TURNOS}`;

export const SPANISH_LAKE = {
  'clima/_dimensions/estaciones.parquet':
    "SELECT 'e' || i AS codigo, 'Estación ' || i AS nombre, 40 + i / 2.0 AS latitude, 3 - i / 3.0 AS longitude FROM range(1, 7) t(i)",
  ...Object.fromEntries(
    [2019, 2020, 2021, 2022].flatMap(year => [
      [`clima/lluvia/year=${year}/estaciones.parquet`, lluvia(year, "'e' || i", 'range(1, 7) t(i)')],
      [`clima/lluvia/year=${year}/nacional.parquet`, lluvia(year, 'NULL::VARCHAR', '(VALUES (0)) t(i)')],
    ]),
  ),
};
