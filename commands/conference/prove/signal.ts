import { Flags } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { callArg } from '../../../src/cli/conference/forms.js'
import { gatewayKey, withGateway } from '../../../src/cli/gateway/gateway.js'
import { Names } from '../../../src/cli/ledger/resolve.js'

export default class ConferenceProveSignal extends BaseCommand {
  static override description =
    `Prove a signal of a member of a private call with the key of --key-file, for an account that submits it.
Prints JSON for \`tx send\` of that account and \`conference verify\`; nobody else can submit it. Nothing is sent.`
  static override examples = [
    '<%= config.bin %> conference prove signal bank:board --submitter carol@bank --key-file member.json --body hello > signal.json',
  ]
  static override args = callArg
  static override flags = {
    submitter: Flags.string({ description: 'account that submits the instruction', required: true }),
    kind: Flags.string({ description: 'kind of the signal', default: 'signal' }),
    body: Flags.string({ description: 'text of the signal; it is public', required: true }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConferenceProveSignal)
    const settings = await this.settings(flags)
    const wallet = await gatewayKey(settings)
    const { proofFile } = await import('../../../src/cli/conference/proofs.js')
    const { file } = await withGateway(settings, async (client) => {
      const submitter = await new Names(client, settings).account(flags.submitter)
      return proofFile(client, args.call, wallet, submitter, (prover, by) =>
        prover.signal(by, flags.kind, Buffer.from(flags.body)),
      )
    })

    this.out.result(file, JSON.stringify(file, null, 2))
  }
}
