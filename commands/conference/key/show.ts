import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { callArg } from '../../../src/cli/conference/forms.js'
import { gatewayPair, withGateway } from '../../../src/cli/gateway/gateway.js'

export default class ConferenceKeyShow extends BaseCommand {
  static override description = `Show the key that the host of a private call admits for the key of --key-file.
It is valid for this call only. Give it to the host in private: anyone who knows its owner knows that you were invited.`
  static override examples = ['<%= config.bin %> conference key show bank:board --key-file member.json']
  static override args = callArg

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConferenceKeyShow)
    const settings = await this.settings(flags)
    const wallet = await gatewayPair(settings)
    const { ConferenceProver } = await import('../../../src/client/index.js')
    const key = await withGateway(settings, async (client) =>
      (await ConferenceProver.open(client, args.call, wallet)).admissionKey().toString('hex'),
    )
    this.out.result({ call: args.call, key }, key)
  }
}
