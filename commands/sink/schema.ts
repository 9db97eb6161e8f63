import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { postgresFlags, schemaOf } from '../../src/cli/sink/command.js'

export default class SinkSchema extends BaseCommand {
  static override description =
    `Print the statements that create the tables, for an administrator who creates them instead of the sink.
The role of the sink then needs USAGE on the schema, SELECT and INSERT on its tables, and UPDATE on sink_cursor.`
  static override examples = [
    '<%= config.bin %> sink schema postgres --schema eur | psql ledger',
    '<%= config.bin %> sink schema sqlite',
  ]
  static override args = {
    database: Args.string({
      description: 'kind of the database',
      required: true,
      options: ['postgres', 'sqlite'],
      ignoreStdin: true,
    }),
  }
  static override flags = { schema: postgresFlags.schema }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SinkSchema)
    const schema = schemaOf(flags.schema)
    const { schemaText } = await import('../../src/sink/migrations.js')
    const statements =
      args.database === 'postgres'
        ? `CREATE SCHEMA IF NOT EXISTS "${schema}";\n\n${schemaText((await import('../../src/sink/postgres.js')).postgresDialect(schema))}`
        : schemaText((await import('../../src/sink/sqlite.js')).SQLITE)
    this.out.result({ statements }, statements)
  }
}
