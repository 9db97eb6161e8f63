import { Args } from '@oclif/core'
import { BULK_EXITS, BulkCommand, bulkFlags } from '../../src/cli/bulk/command.js'
import { writeFlags } from '../../src/cli/command/flags.js'
import { inputName } from '../../src/cli/input/input.js'

export default class TxSend extends BulkCommand {
  static override description =
    `Build, sign and submit a transaction from instructions in JSON: one, a list, or {"instructions": [...]}.
Prints the hash at once; exits 6 if the ledger rejects it, 8 if it is not committed in time.
${BULK_EXITS} Each line becomes a separate transaction, and a new one if the file is sent again: to be able to repeat an
interrupted run, sign first and use \`tx submit --bulk\`.`
  static override examples = [
    '<%= config.bin %> tx send instructions.json --key-file alice.json',
    `echo '{"RegisterDomain": {"id": "shop", "metadata": {}}}' | <%= config.bin %> tx send - --key-file admin.json`,
    '<%= config.bin %> tx send instructions.ndjson --bulk --key-file admin.json --json',
  ]
  static override args = {
    file: Args.string({ description: 'file with JSON, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = { ...writeFlags, ...bulkFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TxSend)
    const settings = await this.settings(flags)
    const { instructionsJson, parseJsonText, readJsonInput } = await import('../../src/cli/input/json.js')
    if (flags.bulk) {
      const { signerOf } = await import('../../src/cli/bulk/sign.js')
      const { reviewed } = await import('../../src/cli/transaction/review.js')
      return this.submitMany(args.file, flags, async (client) => {
        const { sign, review } = await signerOf(client, settings)
        await reviewed(this.out, review(`each transaction of ${inputName(args.file)}`), flags, settings)
        return async ({ place, bytes }) => {
          const signed = await sign(instructionsJson(parseJsonText(bytes, place), place))
          return { ...signed, hash: signed.id.toString('hex') }
        }
      })
    }
    const { submitInstructions } = await import('../../src/cli/transaction/submit.js')
    const jsonForms = instructionsJson(await readJsonInput(args.file), inputName(args.file))
    await submitInstructions(
      { settings, out: this.out, silent: this.silent, wait: flags.wait, dryRun: flags['dry-run'], asking: flags },
      ({ codec, names }) => jsonForms.map((jsonForm, index) => names.instruction(jsonForm, index, codec)),
    )
  }
}
