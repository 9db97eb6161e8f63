import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { callArg, privateFlags } from '../../../src/cli/conference/forms.js'
import { MemberCommand } from '../../../src/cli/conference/proofs.js'
import { instructions as conferences } from '../../../src/features/conference/schema/instructions.js'

export default class ConferenceSignalSend extends MemberCommand {
  static override description =
    'Post a signal of a call, at most 4 KiB. Signals are public: encrypt confidential content.'
  static override examples = [
    '<%= config.bin %> conference signal send bank:standup "hello" --kind chat --key-file bob.json',
    '<%= config.bin %> conference signal send bank:board "hello" --private --key-file member.json --payer-key-file carol.json',
  ]
  static override args = {
    ...callArg,
    body: Args.string({ description: 'text of the signal', required: true, ignoreStdin: true }),
  }
  static override flags = {
    kind: Flags.string({ description: 'kind of the signal: 1 to 32 of a-z 0-9 _ -', default: 'signal' }),
    ...privateFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConferenceSignalSend)
    const { call } = args
    const body = Buffer.from(args.body)
    if (flags.private) return this.proveAndSend(flags, call, (prover, by) => prover.signal(by, flags.kind, body))
    const signal = { call, kind: flags.kind, body: body.toString('base64'), commitment: null, proof: null }
    await this.send(flags, ({ read }) => [read(conferences.postConferenceSignal, signal)])
  }
}
