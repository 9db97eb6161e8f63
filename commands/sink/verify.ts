import { Flags } from '@oclif/core'
import { definedFields } from '../../src/base/defined-fields.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { withStreams } from '../../src/cli/gateway/gateway.js'
import { databaseUrl, differs, postgresFlags, schemaOf, withTermination } from '../../src/cli/sink/command.js'
import { INTERRUPTED, interruptible } from '../../src/cli/terminal/interrupt.js'
import { pairs } from '../../src/cli/terminal/output.js'
import type { Verification } from '../../src/sink/verify.js'

export default class SinkVerify extends BaseCommand {
  static override description =
    `Compare every row of every table of a sink with the chain: blocks are verified, their rows are rebuilt and compared cell by cell.
Prints the table, key and column of each difference and exits 10. Without --to-height, every balance and supply is also compared with the state of
the node; while payments continue, the sink must be running for that. With --from-height, balances before that block are read from the
tables. An interrupted comparison prints the --from-height to continue with. Nodes may hold different valid certificates of one block:
compare \`votes.signed\` and \`blocks.view\` with the node that the sink reads.`
  static override examples = [
    '<%= config.bin %> sink verify --url postgresql://causeway@127.0.0.1/ledger',
    '<%= config.bin %> sink verify --file ledger.db --gateway http://127.0.0.1:8081',
    '<%= config.bin %> sink verify --file ledger.db --from-height 50001 --to-height 60000 --json',
  ]
  static override flags = {
    ...postgresFlags,
    file: Flags.string({ description: 'file of `causeway sink sqlite`', exclusive: ['url'], helpValue: 'FILE' }),
    'from-height': Flags.integer({
      aliases: ['from'],
      deprecateAliases: true,
      description: 'first block',
      default: 1,
      min: 1,
      helpValue: 'HEIGHT',
    }),
    'to-height': Flags.integer({
      aliases: ['to'],
      deprecateAliases: true,
      description: 'last block (default: the last one in the tables)',
      min: 1,
      helpValue: 'HEIGHT',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SinkVerify)
    const { file, 'from-height': from, 'to-height': to } = flags
    const settings = await this.settings(flags)
    const open = async (signal: AbortSignal) => {
      if (file !== undefined) return (await import('../../src/sink/sqlite.js')).openSqlite(file, { writes: false })
      const [url, schema] = [databaseUrl(flags.url), schemaOf(flags.schema)]
      return (await import('../../src/sink/postgres.js')).openPostgres({ url, schema, writes: false }, signal)
    }
    const { sinkNaming } = await import('../../src/sink/naming.js')
    await interruptible((interrupted) =>
      withTermination(interrupted, async (signal) => {
        const warehouse = await open(signal)
        try {
          await withStreams(settings, async (client) => {
            const naming = sinkNaming(await client.codec())
            await this.compareAll({ client, warehouse, naming, from, to, signal })
          })
        } finally {
          await warehouse.close()
        }
      }),
    )
  }

  /** Compares rows, then the state; notes where to go on if it ends before. */
  private async compareAll(subject: Omit<Verification, 'onBatch'>): Promise<void> {
    const [{ compare }, { verifyRows }] = await Promise.all([
      import('../../src/sink/compare.js'),
      import('../../src/sink/verify.js'),
    ])
    const { from, to, signal } = subject
    let left: number | undefined
    try {
      const { height, rows, differences } = await this.withBar('comparing', 'blocks', (report) =>
        verifyRows({
          ...subject,
          onBatch: (done, last) => {
            left = done < last ? done + 1 : undefined
            report({ done, total: last })
          },
        }),
      )
      if (differences.length > 0) throw differs(differences)
      signal.throwIfAborted()
      const state =
        to === undefined
          ? await this.withBar('comparing', 'rows', (report) => compare(subject, (done) => report({ done })))
          : undefined
      if (state !== undefined && state.differences.length > 0) throw differs(state.differences)
      const totals = definedFields({ balances: state?.balances, supplies: state?.supplies })
      this.out.result(
        { from, height, rows, ...totals, equal: true },
        pairs([
          ['equal', `block ${from} to block ${height}`],
          ['rows', String(rows)],
          ...Object.entries(totals).map(([name, count]): [string, string] => [name, String(count)]),
        ]),
      )
    } catch (error) {
      if (left !== undefined) this.out.note(`Compared to block ${left - 1}. Continue with --from-height ${left}.`)
      if (!signal.aborted) throw error
      this.exitWith(INTERRUPTED)
    }
  }
}
