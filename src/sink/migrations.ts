/** Owns the creation of the tables in a database: statements by version, applied once and in order. */
import { type ColumnType, TABLES, type Table, VIEWS, type View } from './tables.js'

/** Differences between the databases. */
export interface Dialect {
  readonly types: Readonly<Record<ColumnType, string>>
  /** Prefix of table names: the schema with a point, or empty. */
  readonly prefix: string
}

/** Quoted SQL identifier. Names are constants or validated, so that none contains a quote. */
export const quoted = (name: string): string => `"${name}"`

const list = (names: readonly string[]): string => names.map(quoted).join(', ')

function tableStatements({ name, columns, key, indexes = [] }: Table, { types, prefix }: Dialect): string[] {
  const lines = columns.map(
    (column) => `  ${quoted(column.name)} ${types[column.type]}${column.optional === true ? '' : ' NOT NULL'}`,
  )
  return [
    `CREATE TABLE ${prefix}${quoted(name)} (\n${[...lines, `  PRIMARY KEY (${list(key)})`].join(',\n')}\n)`,
    ...indexes.map((columns_) => {
      // An index is in the schema of its table, and its name has no prefix in PostgreSQL.
      const index = quoted(`${name}_${columns_.join('_')}`)
      return `CREATE INDEX ${index} ON ${prefix}${quoted(name)} (${list(columns_)})`
    }),
  ]
}

/** Statement that creates a view. */
export const viewStatement = ({ name, query }: View, prefix: string): string =>
  `CREATE VIEW ${prefix}${quoted(name)} AS ${query.replaceAll('@', prefix)}`

/** Table of the position of the sink: one row, updated with every batch in its transaction. */
export const CURSOR_TABLE = 'sink_cursor'
export const CURSOR_COLUMNS = ['chain', 'genesis_hash', 'height', 'hash', 'place'] as const

const cursorStatement = ({ types, prefix }: Dialect): string =>
  `CREATE TABLE ${prefix}"${CURSOR_TABLE}" (
  "one" ${types.count} PRIMARY KEY CHECK ("one" = 1),
  "chain" ${types.text} NOT NULL,
  "genesis_hash" ${types.text} NOT NULL,
  "height" ${types.count} NOT NULL,
  "hash" ${types.text} NOT NULL,
  "place" ${types.text} NOT NULL
)`

/** Statements by version, in order; a released version never changes. */
export const MIGRATIONS: readonly ((dialect: Dialect) => readonly string[])[] = [
  (dialect) => [
    cursorStatement(dialect),
    ...TABLES.flatMap((table) => tableStatements(table, dialect)),
    ...VIEWS.map((view) => viewStatement(view, dialect.prefix)),
  ],
]

/** Statement that creates the table of applied versions. */
export const versionsStatement = ({ types, prefix }: Dialect): string =>
  `CREATE TABLE IF NOT EXISTS ${prefix}"sink_migrations" ("version" ${types.count} PRIMARY KEY)`

/** All statements as text, for a database whose administrator creates the tables. */
export const schemaText = (dialect: Dialect): string =>
  [
    versionsStatement(dialect),
    ...MIGRATIONS.flatMap((migration, at) => [
      ...migration(dialect),
      `INSERT INTO ${dialect.prefix}"sink_migrations" VALUES (${at + 1})`,
    ]),
  ]
    .map((statement) => `${statement};\n`)
    .join('\n')
