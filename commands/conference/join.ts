import { writeFlags } from '../../src/cli/command/flags.js'
import { callArg, privateFlags, TRANSPARENT } from '../../src/cli/conference/forms.js'
import { MemberCommand } from '../../src/cli/conference/proofs.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { instructions as conferences } from '../../src/features/conference/schema/instructions.js'

export default class ConferenceJoin extends MemberCommand {
  static override description = `Join a call: by name, or with --private by a proof that another account submits.
The member is the key of --key-file; only the proof leaves this machine.`
  static override examples = [
    '<%= config.bin %> conference join bank:standup --key-file bob.json',
    '<%= config.bin %> conference join bank:board --private --key-file member.json --payer-key-file carol.json',
  ]
  static override args = callArg
  static override flags = {
    participant: accountFlag({ description: 'account that the host adds', exclusive: ['private'] }),
    ...privateFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConferenceJoin)
    const { call } = args
    if (flags.private) return this.proveAndSend(flags, call, (prover, submitter) => prover.join(submitter))
    const { participant } = flags
    await this.send(flags, async ({ account, read }) => {
      const member = participant === undefined ? null : await account(participant)
      return [
        read(conferences.joinConference, {
          call,
          participant: member,
          ...TRANSPARENT,
          session: null,
          admission_root: null,
        }),
      ]
    })
  }
}
