import { databaseUrl, postgresFlags, runFlags, SinkCommand, schemaOf } from '../../src/cli/sink/command.js'

export default class SinkPostgres extends SinkCommand {
  static override description =
    `Write the chain into PostgreSQL tables and follow it: blocks, transactions, instructions, events, transfers, balances, payments, lanes, votes.
Each block is verified from genesis on before it is written. Rows and cursor are written in one transaction: after a fault the sink resumes at its cursor, without duplicates or gaps.`
  static override examples = [
    '<%= config.bin %> sink postgres --url postgresql://causeway@db.bank.example/ledger?sslmode=verify-full',
    '<%= config.bin %> sink postgres --url postgresql://causeway@127.0.0.1/ledger --schema eur --once',
  ]
  static override flags = { ...postgresFlags, ...runFlags }

  async run(): Promise<void> {
    const { flags } = await this.parse(SinkPostgres)
    const [url, schema] = [databaseUrl(flags.url), schemaOf(flags.schema)]
    const { openPostgres } = await import('../../src/sink/postgres.js')
    await this.fill(flags, (signal) => openPostgres({ url, schema, writes: true }, signal))
  }
}
