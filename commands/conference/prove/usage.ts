import { Flags } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { callArg } from '../../../src/cli/conference/forms.js'
import { gatewayKey, withGateway } from '../../../src/cli/gateway/gateway.js'
import { Names } from '../../../src/cli/ledger/resolve.js'

export default class ConferenceProveUsage extends BaseCommand {
  static override description =
    `Prove the usage of a segment of a private call with the key of --key-file, for an account that submits it.
Prints JSON for \`tx send\` of that account and \`conference verify\`; nobody else can submit it. Nothing is sent.`
  static override examples = [
    '<%= config.bin %> conference prove usage bank:board --submitter carol@bank --key-file member.json --duration-ms 60000 > usage.json',
  ]
  static override args = callArg
  static override flags = {
    submitter: Flags.string({ description: 'account that submits the instruction', required: true }),
    'duration-ms': Flags.integer({ description: 'duration in ms', required: true, min: 1 }),
    'billed-gas': Flags.integer({ description: 'gas that is billed', default: 0, min: 0 }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConferenceProveUsage)
    const settings = await this.settings(flags)
    const wallet = await gatewayKey(settings)
    const { proofFile } = await import('../../../src/cli/conference/proofs.js')
    const { file } = await withGateway(settings, async (client) => {
      const submitter = await new Names(client, settings).account(flags.submitter)
      return proofFile(client, args.call, wallet, submitter, (prover, by) =>
        prover.usage(by, BigInt(flags['duration-ms']), BigInt(flags['billed-gas'])),
      )
    })

    this.out.result(file, JSON.stringify(file, null, 2))
  }
}
