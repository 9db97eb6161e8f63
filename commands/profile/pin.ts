import { isDeepStrictEqual } from 'node:util'
import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { shownBy } from '../../src/cli/settings/pin.js'
import { changeProfiles, profileOf, readProfiles } from '../../src/cli/settings/profiles.js'
import { resolveSettings } from '../../src/cli/settings/settings.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { LedgerError } from '../../src/model/errors.js'

export default class ProfilePin extends BaseCommand {
  static override description =
    `Read the gateway of a profile again and pin its chain and genesis, if not pinned yet, and its network key.
Signed requests are not sent to a node whose network key differs from the pinned one; pin it again when you know why it
changed. A chain or genesis other than the pinned one is still refused: it needs its own profile.`
  static override examples = ['<%= config.bin %> profile pin bank-a']
  static override args = { name: Args.string({ description: 'name', required: true, ignoreStdin: true }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfilePin)
    const read = profileOf(await readProfiles(), args.name)
    const { gateway, chain, genesis_hash: genesisHash, network_key: old, token } = read
    if (gateway === undefined) throw usageError(`the profile ${args.name} has no gateway`)
    const settings = await resolveSettings({ gateway, timeout: flags.timeout, insecure: flags.insecure })
    const shown = await shownBy(settings, token, { chain, genesisHash })
    const pins = { chain: shown.chain, genesis_hash: shown.genesisHash, network_key: shown.networkKey }
    await changeProfiles((before) => {
      const profile = profileOf(before, args.name)
      if (!isDeepStrictEqual(profile, read)) {
        throw new LedgerError('config_invalid', `the profile ${args.name} was changed in the meantime`, {
          hint: `Check it with \`causeway profile list\`, then run \`causeway profile pin ${args.name}\` again.`,
        })
      }
      return { ...before, profiles: { ...before.profiles, [args.name]: { ...profile, ...pins } } }
    })
    const was = old === undefined || old === shown.networkKey ? '' : `, replacing ${old}`
    const text = `pinned chain ${shown.chain} with genesis ${shown.genesisHash} and node ${shown.networkKey}${was}`
    this.out.result({ name: args.name, gateway, ...pins, replaced: was === '' ? null : (old ?? null) }, text)
  }
}
