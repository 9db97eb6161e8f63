import { Flags } from '@oclif/core'
import { callArg } from '../../../src/cli/conference/forms.js'
import { ProveCommand, proveHelp, submitterFlag } from '../../../src/cli/conference/prove.js'

export default class ConferenceProveSignal extends ProveCommand {
  static override description = proveHelp('a signal of a member')
  static override examples = [
    '<%= config.bin %> conference prove signal bank:board --submitter carol@bank --key-file member.json --body hello > signal.json',
  ]
  static override args = callArg
  static override flags = {
    ...submitterFlag,
    kind: Flags.string({ description: 'kind of the signal', default: 'signal' }),
    body: Flags.string({ description: 'text of the signal; it is public', required: true }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConferenceProveSignal)
    await this.prove(flags, args.call, (prover, by) => prover.signal(by, flags.kind, Buffer.from(flags.body)))
  }
}
