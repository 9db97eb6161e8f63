import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { pairs } from '../../src/cli/command/output.js'
import { withStreams } from '../../src/cli/gateway/gateway.js'
import { databaseUrl, differs, postgresFlags, schemaOf } from '../../src/cli/sink/command.js'

export default class SinkVerify extends BaseCommand {
  static override description =
    `Compare the tables of a sink with a node: every balance, every supply and the hash of the last block, each at the height that the node answered for.
While payments go on, the sink has to be running too. Exits 10 when they differ. Counterparties, texts and balances of
earlier blocks are not compared.`
  static override examples = [
    '<%= config.bin %> sink verify --url postgresql://causeway@127.0.0.1/ledger',
    '<%= config.bin %> sink verify --file ledger.db --gateway http://127.0.0.1:8081',
  ]
  static override flags = {
    ...postgresFlags,
    file: Flags.string({ description: 'file of `causeway sink sqlite`', exclusive: ['url'], helpValue: 'FILE' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SinkVerify)
    const { file } = flags
    const settings = await this.settings(flags)
    const [{ compare }, { sinkNaming }] = await Promise.all([
      import('../../src/sink/compare.js'),
      import('../../src/sink/naming.js'),
    ])
    const open = async () => {
      if (file !== undefined) return (await import('../../src/sink/sqlite.js')).openSqlite(file, { writes: false })
      const [url, schema] = [databaseUrl(flags.url), schemaOf(flags.schema)]
      return (await import('../../src/sink/postgres.js')).openPostgres({ url, schema, writes: false })
    }
    const warehouse = await open()
    try {
      const found = await withStreams(settings, async (client) => {
        const naming = sinkNaming(await client.codec())
        return this.withBar('comparing', 'rows', (say) =>
          compare({ client, warehouse, naming }, (done) => say({ done })),
        )
      })
      if (found.differences.length > 0) throw differs(found.differences)
      const { height, balances, supplies } = found
      this.out.result(
        { height, balances, supplies, equal: true },
        pairs([
          ['equal', `to block ${height}`],
          ['balances', String(balances)],
          ['supplies', String(supplies)],
        ]),
      )
    } finally {
      await warehouse.close()
    }
  }
}
