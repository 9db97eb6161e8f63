import { ReadCommand } from '../../src/cli/command/read-command.js'
import { dataspaceArg, entriesText, manifestArgs } from '../../src/cli/space/forms.js'

export default class SpaceShow extends ReadCommand {
  static override description = 'Show what a guest may do in a restricted dataspace: status, period and entries.'
  static override examples = [
    '<%= config.bin %> space show 7 alice@bank',
    '<%= config.bin %> space show 7 alice@bank --json',
  ]
  static override args = manifestArgs

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SpaceShow)
    const params = { dataspace: dataspaceArg(args.dataspace), account: args.account }
    const fields = {
      dataspace: 'dataspace',
      account: 'account',
      status: 'status',
      version: 'version',
      issuer: 'issuer',
      'active from': 'active_from_ms',
      expires: 'expires_ms',
      revoked: 'revoked.at_ms',
      reason: 'revoked.reason',
      entries: { named: entriesText },
    }
    await this.showFields(flags, ({ spaces }) => spaces.manifest, { params }, fields)
  }
}
