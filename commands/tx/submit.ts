import { Args } from '@oclif/core'
import { BULK_EXITS, BulkCommand, bulkFlags } from '../../src/cli/bulk/command.js'
import { submitFlags } from '../../src/cli/command/flags.js'

export default class TxSubmit extends BulkCommand {
  static override description = `Submit a signed transaction, as JSON or in the codec.
Prints the hash at once; exits 6 if the ledger rejects it, 8 if it is not committed in time. Submitting it again is
safe: it runs at most once.
${BULK_EXITS}`
  static override examples = [
    '<%= config.bin %> tx submit signed.json',
    '<%= config.bin %> tx sign payload.json --key-file alice.json | <%= config.bin %> tx submit - --wait queued',
    '<%= config.bin %> tx submit signed.bin --dry-run',
    '<%= config.bin %> tx submit payments.ndjson --bulk --rate 500 --window 1000',
  ]
  static override args = {
    file: Args.string({
      description: 'signed transaction, or - for standard input',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = { ...submitFlags, ...bulkFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TxSubmit)
    const { readSigned, signedOf } = await import('../../src/cli/transaction/file.js')
    const { expiresAtMs, signedTransaction } = await import('../../src/model/index.js')
    if (flags.bulk) {
      return this.submitMany(args.file, flags, async () => async ({ place, bytes }) => {
        const { payload, id, signed, codec } = await signedOf(bytes, place)
        return {
          hash: id.toString('hex'),
          bytes: signedTransaction.encode(signed, codec),
          expiresAtMs: expiresAtMs(payload),
        }
      })
    }
    const settings = await this.settings(flags)
    const { dryRunOf, printDryRun } = await import('../../src/cli/transaction/dry-run.js')
    const { withGateway } = await import('../../src/cli/gateway/gateway.js')
    const { submitSigned } = await import('../../src/cli/transaction/submit.js')
    const { payload, id, signed, codec } = await readSigned(args.file)
    await withGateway(settings, async (client) => {
      if (flags['dry-run']) return printDryRun(this.out, await dryRunOf(client, payload, codec))
      const context = { settings, out: this.out, silent: this.silent, wait: flags.wait }
      const bytes = signedTransaction.encode(signed, codec)
      await submitSigned(context, client, { id, bytes, expiresAtMs: expiresAtMs(payload) })
    })
  }
}
