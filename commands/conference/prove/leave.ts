import { callArg } from '../../../src/cli/conference/forms.js'
import { ProveCommand, proveHelp, submitterFlag } from '../../../src/cli/conference/prove.js'

export default class ConferenceProveLeave extends ProveCommand {
  static override description = proveHelp('a leave')
  static override examples = [
    '<%= config.bin %> conference prove leave bank:board --submitter carol@bank --key-file member.json > leave.json',
  ]
  static override args = callArg
  static override flags = submitterFlag

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConferenceProveLeave)
    await this.prove(flags, args.call, (prover, by) => prover.leave(by))
  }
}
