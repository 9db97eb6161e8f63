import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.js'
import { writeFlags } from '../../src/cli/flags.js'
import { inputName } from '../../src/cli/input.js'

export default class TxSend extends BaseCommand {
  static override description =
    `Build, sign and submit a transaction of instructions in JSON: one, a list, or {"instructions": [...]}.
Prints the hash at once; exits 6 when the ledger rejects it, 8 when it is not in a block in time.`
  static override examples = [
    '<%= config.bin %> tx send instructions.json --key-file alice.json',
    `echo '{"RegisterDomain": {"id": "shop", "metadata": {}}}' | <%= config.bin %> tx send - --key-file admin.json`,
  ]
  static override args = {
    file: Args.string({ description: 'file with JSON, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TxSend)
    const settings = await this.settings(flags)
    const { instructionTwins, readJsonInput } = await import('../../src/cli/json-input.js')
    const { submitInstructions } = await import('../../src/cli/submit.js')
    const twins = instructionTwins(await readJsonInput(args.file), inputName(args.file))
    await submitInstructions(
      { settings, out: this.out, silent: this.silent, wait: flags.wait, dryRun: flags['dry-run'] },
      () => twins,
    )
  }
}
