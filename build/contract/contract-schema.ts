/** A JSON Schema of contracts for editors: every key of ODCS 3.1, and every custom property of this service. Pure. */
import { CONTRACT_SHAPE } from './contract-profile.ts';
import { COLUMN_SHAPE, OBJECT_SHAPE, ROOT_SHAPE } from './custom-profile.ts';
import { COLUMN_NOTES, type PropertyNote, ROOT_NOTES, TABLE_NOTES } from './property-notes.ts';
import type { Shape } from './validator.ts';

/** The schema of one custom property's value; an empty one if the build reads any value. */
export function valueSchema({ schema }: Shape, name: string): Schema {
  return (schema as { properties?: Record<string, Schema> }).properties?.[name] ?? {};
}

export function contractSchema(): Schema {
  const base = structuredClone(CONTRACT_SHAPE.schema) as MutableContract;
  const { properties } = base;
  const table = properties.schema.items.properties;
  const column = table.properties.items.properties;
  for (const rules of [table.quality, column.quality])
    Object.assign(rules.items.properties, STANDARD_KEYS.rule);
  Object.assign(properties, STANDARD_KEYS.contract);
  Object.assign(properties.description.properties, STANDARD_KEYS.description);
  Object.assign(table, STANDARD_KEYS.table);
  Object.assign(column, STANDARD_KEYS.column);
  properties['customProperties'] = customProperties(ROOT_NOTES, ROOT_SHAPE);
  table['customProperties'] = customProperties(TABLE_NOTES, OBJECT_SHAPE);
  column['customProperties'] = customProperties(COLUMN_NOTES, COLUMN_SHAPE);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Contract of Civic Data Service',
    description:
      'A data contract (ODCS version 3) as Civic Data Service reads it: the keys of the standard, and the custom properties of this service. Other keys and properties are allowed.',
    ...base,
    definitions: DEFINITIONS,
  };
}

type Properties = Record<string, unknown>;
interface MutableRules {
  items: { properties: Properties };
}
interface MutableContract {
  properties: Properties & {
    description: { properties: Properties };
    schema: {
      items: {
        properties: Properties & {
          quality: MutableRules;
          properties: { items: { properties: Properties & { quality: MutableRules } } };
        };
      };
    };
  };
}

/** An editor proposes the names, and checks a value by its name. */
function customProperties(notes: Readonly<Record<string, PropertyNote>>, shape: Shape): Schema {
  const entries = Object.entries(notes);
  return {
    type: 'array',
    items: {
      type: 'object',
      required: ['property'],
      properties: {
        id: { type: 'string', description: 'A name that stays the same, for references.' },
        description: { type: 'string', description: 'What it means, for people.' },
        property: {
          anyOf: [
            ...entries.map(([name, note]) => ({ const: name, description: described(note) })),
            { type: 'string', description: 'A property of another tool.' },
          ],
        },
      },
      allOf: entries.map(([name, note]) => ({
        if: { required: ['property'], properties: { property: { const: name } } },
        // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
        then: { properties: { value: { ...valueSchema(shape, name), description: described(note) } } },
      })),
    },
  };
}

function described({ about, without }: PropertyNote): string {
  return `${about} Without it: ${without}.`;
}

export type Schema = Readonly<Record<string, unknown>>;

const text = (description: string): Schema => ({ type: 'string', description });
const flag = (description: string): Schema => ({ type: 'boolean', description });
const count = (description: string): Schema => ({ type: 'integer', description });
const list = (items: Schema, description: string): Schema => ({ type: 'array', items, description });
const mapping = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  type: 'object',
  ...(required.length === 0 ? {} : { required }),
  properties,
});
/** Values that an editor proposes; other tools may have more. */
const proposed = (values: readonly string[], description: string): Schema => ({
  anyOf: [{ enum: values }, { type: 'string' }],
  description,
});
const defined = (name: string): Schema => ({ $ref: `#/definitions/${name}` });

const id = text('A name that stays the same when others change, for references.');
const tags = list({ type: 'string' }, 'Words for searches.');
const any: Schema = { description: 'Any value.' };

/** Parts that several places share, as `definitions` of the schema. */
export const DEFINITIONS: Readonly<Record<string, Schema>> = {
  customProperties: list(
    mapping({ id, property: text('Its name.'), value: any, description: text('What it means.') }, [
      'property',
    ]),
    'Properties of other tools.',
  ),
  definitions: list(
    mapping(
      {
        id,
        url: text('Where it is.'),
        type: proposed(
          [
            'businessDefinition',
            'transformationImplementation',
            'videoTutorial',
            'tutorial',
            'implementation',
          ],
          'What it is.',
        ),
        description: text('What a reader finds there.'),
      },
      ['url', 'type'],
    ),
    'Links to definitions and further reading.',
  ),
  role: mapping(
    {
      id,
      role: text('The name of the role.'),
      description: text('What the role is for.'),
      access: text('What the role allows.'),
      firstLevelApprovers: text('Who approves first.'),
      secondLevelApprovers: text('Who approves then.'),
      customProperties: defined('customProperties'),
    },
    ['role'],
  ),
  member: mapping(
    {
      id,
      username: text('The person’s name in the system, or an address.'),
      name: text('The person’s name.'),
      description: text('What to know of the person.'),
      role: text('What the person does.'),
      dateIn: { ...text('The day on which the person joined.'), format: 'date' },
      dateOut: { ...text('The day on which the person left.'), format: 'date' },
      replacedByUsername: text('Who follows.'),
      tags,
      customProperties: defined('customProperties'),
      authoritativeDefinitions: defined('definitions'),
    },
    ['username'],
  ),
};

const SERVER_TYPES =
  'api athena azure bigquery clickhouse databricks denodo dremio duckdb glue cloudsql db2 hive impala informix kafka kinesis local mysql oracle postgresql postgres presto pubsub redshift s3 sftp snowflake sqlserver synapse trino vertica zen custom';
const SERVER_PLACES =
  'account catalog database dataset delimiter endpointUrl format host location path project region regionName schema serviceName stagingDir stream warehouse';

const relationship = (properties: Readonly<Record<string, Schema>>): Schema =>
  mapping({
    type: { enum: ['foreignKey'], description: 'The kind of relationship.' },
    ...properties,
    customProperties: defined('customProperties'),
  });
const columns = (description: string): Schema => ({
  type: ['string', 'array'],
  items: { type: 'string' },
  description,
});
const pair = (description: string): Schema => ({
  type: 'array',
  minItems: 2,
  maxItems: 2,
  items: { type: 'number' },
  description,
});
const number = (description: string): Schema => ({ type: 'number', description });

/** Keys of a contract, of a table, of a column and of a rule. */
export const STANDARD_KEYS: Readonly<
  Record<'contract' | 'description' | 'table' | 'column' | 'rule', Readonly<Record<string, Schema>>>
> = {
  contract: {
    kind: { enum: ['DataContract'], description: 'Marks the file as a contract.' },
    apiVersion: proposed(
      ['v3.1.0', 'v3.0.2', 'v3.0.1', 'v3.0.0', 'v2.2.2', 'v2.2.1', 'v2.2.0'],
      'The version of the standard.',
    ),
    status: proposed(['proposed', 'draft', 'active', 'deprecated', 'retired'], 'Only `active` is published.'),
    tags,
    dataProduct: text('The data product; deprecated.'),
    contractCreatedTs: { ...text('When the contract was made.'), format: 'date-time' },
    authoritativeDefinitions: defined('definitions'),
    servers: list(
      mapping(
        {
          id,
          server: text('The server’s name.'),
          type: proposed(SERVER_TYPES.split(' '), 'What the server is.'),
          description: text('What to know of the server.'),
          environment: text('Such as prod, preprod or dev.'),
          roles: list(defined('role'), 'Who may use the server.'),
          port: count('The port of the host.'),
          ...Object.fromEntries(
            SERVER_PLACES.split(' ').map(name => [name, text('Where the data are on the server.')]),
          ),
          customProperties: defined('customProperties'),
        },
        ['server', 'type'],
      ),
      'Where the data are. Pages do not show it.',
    ),
    roles: list(defined('role'), 'Who may use the data.'),
    support: list(
      mapping(
        {
          id,
          channel: text('The name of the channel.'),
          url: text('Its address.'),
          description: text('What it is for.'),
          tool: proposed(
            ['email', 'slack', 'teams', 'discord', 'ticket', 'googlechat', 'other'],
            'By which tool.',
          ),
          scope: proposed(['interactive', 'announcements', 'issues', 'notifications'], 'What it is for.'),
          invitationUrl: text('Where one asks to join.'),
          customProperties: defined('customProperties'),
        },
        ['channel'],
      ),
      'Where readers ask. The dataset’s page shows it.',
    ),
    price: {
      ...mapping({
        id,
        priceAmount: number('The amount.'),
        priceCurrency: text('The currency.'),
        priceUnit: text('For how much.'),
      }),
      description: 'What the data cost. The dataset’s page shows it.',
    },
    team: {
      type: ['object', 'array'],
      properties: {
        id,
        name: text('The team’s name.'),
        description: text('What the team does.'),
        members: list(defined('member'), 'Who is in the team.'),
        tags,
        customProperties: defined('customProperties'),
        authoritativeDefinitions: defined('definitions'),
      },
      items: defined('member'),
      description: 'Who is responsible. The dataset’s page shows it.',
    },
    slaDefaultElement: text('The element that service levels are about; deprecated.'),
    slaProperties: list(
      mapping(
        {
          id,
          property: proposed(
            [
              'latency',
              'availability',
              'throughput',
              'errorRate',
              'generalAvailability',
              'endOfSupport',
              'endOfLife',
              'retention',
              'frequency',
              'timeOfAvailability',
              'timeToDetect',
              'timeToNotify',
              'timeToRepair',
            ],
            'What is promised.',
          ),
          value: any,
          valueExt: any,
          unit: text('The unit of the value.'),
          element: text('The tables or columns that it is about.'),
          driver: proposed(['regulatory', 'analytics', 'operational'], 'Why it is promised.'),
          description: text('What a reader should know.'),
          scheduler: text('What checks it.'),
          schedule: text('When it is checked.'),
        },
        ['property', 'value'],
      ),
      'Service levels. The dataset’s page shows them.',
    ),
  },
  description: {
    authoritativeDefinitions: defined('definitions'),
    customProperties: defined('customProperties'),
  },
  table: {
    id,
    logicalType: { enum: ['object'], description: 'A table is an object.' },
    physicalName: text('The table’s name where the data are.'),
    physicalType: text('Such as table, view or topic.'),
    authoritativeDefinitions: defined('definitions'),
    relationships: list(
      relationship({ from: columns('Columns of this table.'), to: columns('Columns that they refer to.') }),
      'How the table refers to others.',
    ),
  },
  column: {
    id,
    logicalType: proposed(
      ['string', 'integer', 'number', 'boolean', 'date', 'timestamp', 'time', 'object', 'array'],
      'The column’s type. A build leaves out `object` and `array`.',
    ),
    physicalName: text('The column’s name where the data are.'),
    logicalTypeOptions: {
      ...mapping({
        format: text(
          'How texts write a date or time, in the letters of the JDK’s DateTimeFormatter, such as dd/MM/yyyy.',
        ),
        pattern: text('A regular expression that values match.'),
        minLength: count('The fewest characters.'),
        maxLength: count('The most characters.'),
        minimum: { type: ['number', 'string'], description: 'The least value.' },
        maximum: { type: ['number', 'string'], description: 'The greatest value.' },
        exclusiveMinimum: { type: ['number', 'string'], description: 'Values are greater.' },
        exclusiveMaximum: { type: ['number', 'string'], description: 'Values are less.' },
        multipleOf: number('Values are multiples of it.'),
        timezone: flag('Whether values are moments, published in UTC.'),
        defaultTimezone: text(
          'The time zone of texts without an offset, such as America/New_York; UTC if absent.',
        ),
        minProperties: count('The fewest members of an object.'),
        maxProperties: count('The most members of an object.'),
        required: list({ type: 'string' }, 'Members that an object has.'),
        minItems: count('The fewest items of an array.'),
        maxItems: count('The most items of an array.'),
        uniqueItems: flag('Whether the items of an array differ.'),
      }),
      description: 'Limits of the values, which a build checks.',
    },
    tags,
    partitioned: flag('Whether the column divides the files.'),
    partitionKeyPosition: count('Its place among the columns that divide the files.'),
    classification: text('How sensitive the column is.'),
    encryptedName: text('The name of its encrypted copy.'),
    criticalDataElement: flag('Whether much depends on it.'),
    transformSourceObjects: list({ type: 'string' }, 'The tables that it comes from.'),
    transformLogic: text('How it is computed.'),
    transformDescription: text('How it is computed, in words.'),
    authoritativeDefinitions: defined('definitions'),
    relationships: list(
      relationship({ to: columns('What the column refers to, as table.column.') }),
      'Joins.',
    ),
    properties: list(mapping({ name: text('Its name.') }), 'Members of an object, which a build leaves out.'),
    items: { type: 'object', description: 'The items of an array, which a build leaves out.' },
  },
  rule: {
    id,
    type: proposed(['text', 'library', 'sql', 'custom'], '`library` if the rule has a metric.'),
    metric: proposed(
      ['nullValues', 'missingValues', 'invalidValues', 'duplicateValues', 'rowCount'],
      'What a rule of the library counts.',
    ),
    dimension: proposed(
      ['accuracy', 'completeness', 'conformity', 'consistency', 'coverage', 'timeliness', 'uniqueness'],
      'What the rule is about.',
    ),
    severity: proposed(['error', 'warning', 'info'], 'A broken rule of severity error stops the build.'),
    mustBe: { description: 'The number that the query returns.' },
    mustNotBe: { description: 'A number that the query does not return.' },
    mustBeGreaterThan: number('The number is greater.'),
    mustBeGreaterOrEqualTo: number('The number is greater or equal.'),
    mustBeLessThan: number('The number is less.'),
    mustBeLessOrEqualTo: number('The number is less or equal.'),
    mustBeBetween: pair('The number lies between these, ends included.'),
    mustNotBeBetween: pair('The number does not lie between these.'),
    engine: text('The tool of a custom rule.'),
    implementation: { type: ['string', 'object'], description: 'What that tool runs.' },
    businessImpact: text('What a broken rule means.'),
    method: text('How the rule is checked.'),
    schedule: text('When the rule is checked.'),
    scheduler: text('What checks it.'),
    tags,
    authoritativeDefinitions: defined('definitions'),
    customProperties: defined('customProperties'),
  },
};
