import { callArg } from '../../../src/cli/conference/forms.js'
import { ProveCommand, proveHelp, submitterFlag } from '../../../src/cli/conference/prove.js'

export default class ConferenceProveJoin extends ProveCommand {
  static override description = proveHelp('a join')
  static override examples = [
    '<%= config.bin %> conference prove join bank:board --submitter carol@bank --key-file member.json > join.json',
  ]
  static override args = callArg
  static override flags = submitterFlag

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConferenceProveJoin)
    const keys = await this.prove(flags, args.call, (prover, by) => prover.join(by))
    if (keys) this.out.note(`${keys} keys are on the list.`)
    const { warningOf } = await import('../../../src/cli/conference/proofs.js')
    const warning = warningOf(keys)
    if (warning !== undefined) this.out.note(warning)
  }
}
