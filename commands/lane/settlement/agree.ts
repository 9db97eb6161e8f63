import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/base-command.js'
import { writeFlags } from '../../../src/cli/flags.js'
import { inputName } from '../../../src/cli/input.js'

export default class LaneSettlementAgree extends BaseCommand {
  static override description = `Agree to a settlement that another account submits: exactly these terms, once.
The key is that of an account whose leg it is. Both parties need the same file; who submits it sends it with \`tx send\`.`
  static override examples = [
    '<%= config.bin %> lane settlement agree dvp.json --to alice@bank --key-file carol.json',
    '<%= config.bin %> tx send dvp.json --key-file alice.json',
  ]
  static override args = {
    file: Args.string({
      description: 'the settlement in JSON, or - for standard input',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    to: Flags.string({ description: 'address or alias of the account that submits it', required: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneSettlementAgree)
    const settings = await this.settings(flags)
    const { instructionTwins, readJsonInput } = await import('../../../src/cli/json-input.js')
    const { agreementTwin } = await import('../../../src/cli/settlement.js')
    const { submitInstructions } = await import('../../../src/cli/submit.js')
    const twins = instructionTwins(await readJsonInput(args.file), inputName(args.file))
    const context = { settings, out: this.out, silent: this.silent, wait: flags.wait, dryRun: flags['dry-run'] }
    await submitInstructions(context, async (signing) => [await agreementTwin(twins, flags.to, signing)])
  }
}
