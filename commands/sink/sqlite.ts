import { Args } from '@oclif/core'
import { runFlags, SinkCommand } from '../../src/cli/sink/command.js'

export default class SinkSqlite extends SinkCommand {
  static override description = `Write the chain into the same tables in one SQLite file, without a database server.
Any program that reads SQLite can read it at the same time.`
  static override examples = [
    '<%= config.bin %> sink sqlite ledger.db --once',
    '<%= config.bin %> sink sqlite ledger.db --metrics-port 9464',
  ]
  static override args = {
    file: Args.string({ description: 'file, created if missing', required: true, ignoreStdin: true }),
  }
  static override flags = runFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SinkSqlite)
    const { openSqlite } = await import('../../src/sink/sqlite.js')
    await this.fill(flags, async () => openSqlite(args.file, { writes: true }))
  }
}
