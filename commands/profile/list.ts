import { shortId } from '../../src/base/ids.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { readProfiles, withoutToken } from '../../src/cli/settings/profiles.js'
import { table } from '../../src/cli/terminal/output.js'

export default class ProfileList extends BaseCommand {
  static override description = 'List the profiles of this user; the active one is marked.'
  static override examples = ['<%= config.bin %> profile list']

  async run(): Promise<void> {
    await this.parse(ProfileList)
    const { active, profiles } = await readProfiles()
    const items = Object.entries(profiles).map(([name, one]) => ({
      name,
      active: name === active,
      ...withoutToken(one),
    }))
    const rows = items.map((one) => [
      `${one.active ? '* ' : '  '}${one.name}`,
      one.gateway ?? '',
      one.chain ?? '',
      one.genesis_hash === undefined ? 'not pinned' : shortId(one.genesis_hash),
      one.network_key === undefined ? 'not pinned' : shortId(one.network_key),
      one.token ? 'yes' : '',
      one.key_file ?? '',
      one.timeout ?? '',
    ])
    const head = ['  NAME', 'GATEWAY', 'CHAIN', 'GENESIS', 'NODE', 'TOKEN', 'KEY FILE', 'TIMEOUT']
    this.out.result({ items }, table(head, rows))
  }
}
