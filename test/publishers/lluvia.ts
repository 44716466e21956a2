/** A publisher who writes Spanish, whose interface is Spanish too. */
import { withdrawn } from './weather.ts';

const column = (name: string, type: string, role: string, label: string, more = '') =>
  `      - { name: ${name}, logicalType: ${type}, required: ${role !== 'metric'}, businessName: ${label}, customProperties: [{ property: column_role, value: ${role} }${more}] }\n`;

const LLUVIA = `apiVersion: v3.1.0
kind: DataContract
id: clima.lluvia
version: 1.0.0
status: active
domain: clima
description: { purpose: "Lluvia medida cada año.", limitations: "Hay pocas estaciones.", usage: "Compare años." }
customProperties:
  - { property: title, value: "Lluvia de Arcadia" }
  - { property: summary, value: "Lluvia de un año." }
  - { property: source, value: "Oficina del clima" }
  - { property: year_range, value: 2019-2022 }
  - property: errata
    value:
      - { date: 2031-05-10, wrong: "La nieve contaba como lluvia.", corrected: "Ya no cuenta.", years: [2021], levels: [estaciones], columns: [lluvia_mm] }
schema:
  - name: lluvia
    customProperties:
      - { property: detail_levels, value: [estaciones, nacional] }
      - { property: grain, value: [year, codigo, turno] }
      - { property: key_metric, value: lluvia_mm }
      - { property: foreign_keys, value: [{ column: codigo, target_object: estaciones, target_columns: [codigo], attribute_columns: [nombre] }] }
    properties:
${column('year', 'integer', 'year', 'Año')}${column('codigo', 'string', 'fk_estacion', 'Código').replace('required: true', 'required: false')}${column('turno', 'string', 'categorical', 'Turno', ', { property: has_total, value: true }')}${column('lluvia_mm', 'number', 'metric', 'Milímetros de lluvia')}${column('lluvia_mm_moe', 'number', 'metric', 'Margen de error')}`;

const TRANVIAS = `apiVersion: v3.1.0
kind: DataContract
id: clima.tranvias
version: 1.0.0
status: active
domain: clima
customProperties:
  - { property: title, value: "Tranvías de Arcadia" }
schema:
  - name: tranvias
    customProperties: [{ property: detail_levels, value: [nacional] }]
    properties:
${column('year', 'integer', 'year', 'Año')}${column('viajes', 'integer', 'metric', 'Viajes')}`;

const ESTACIONES = `apiVersion: v3.1.0
kind: DataContract
id: clima.estaciones
version: 1.0.0
status: active
domain: clima
customProperties: [{ property: title, value: "Estaciones de Arcadia" }]
schema:
  - name: estaciones
    customProperties: [{ property: entity_kind, value: dimension }, { property: scope, value: domain }]
    properties:
      - { name: codigo, logicalType: string, primaryKey: true, primaryKeyPosition: 1 }
      - { name: nombre, logicalType: string }
      - { name: latitude, logicalType: number }
      - { name: longitude, logicalType: number }
`;

export const SPANISH_CONTRACTS = {
  'publisher.yaml':
    'service: Clima de Arcadia\ndescription: Lluvia de un país que no existe.\nlicense: CC0-1.0\nattribution: Oficina del clima de Arcadia\narea: Arcadia\nlanguage: es\n',
  'lluvia.odcs.yaml': LLUVIA,
  'tranvias.odcs.yaml': withdrawn(TRANVIAS, 'clima/lluvia').replace(
    'Nobody counts any more.',
    'Ya nadie los cuenta.',
  ),
  'estaciones.odcs.yaml': ESTACIONES,
};

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
