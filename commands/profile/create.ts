import { resolve } from 'node:path'
import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { pinnedAt } from '../../src/cli/settings/pin.js'
import { changeProfiles, newProfileName, type Profile } from '../../src/cli/settings/profiles.js'
import { resolveSettings } from '../../src/cli/settings/settings.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { API_TOKEN_ENV, apiTokenOf } from '../../src/client/options.js'

export default class ProfileCreate extends BaseCommand {
  static override description =
    `Save a gateway with its chain, token, key and timeout under a name, replacing an existing profile.
Reads the chain, genesis hash and network key of the gateway and pins them: commands then refuse another chain at this address,
and do not send signed requests to another node (see \`<%= config.bin %> profile pin\`). Compare the hash with one from
another source, or give that as --genesis-hash. The key stays in its file: a profile contains only its path.`
  static override examples = [
    '<%= config.bin %> profile create bank-a --gateway https://bank-a.example:8080 --key-file ~/keys/desk.json --use',
    '<%= config.bin %> profile create bank-a --gateway https://bank-a.example:8080 --genesis-hash 3f5a...',
    `${API_TOKEN_ENV}=... <%= config.bin %> profile create bank-a --gateway https://bank-a.example:8080 --with-token`,
  ]
  static override args = {
    name: Args.string({
      description: 'name: letters, digits, dots, hyphens, underscores',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    use: Flags.boolean({ description: 'make it the active profile' }),
    'genesis-hash': Flags.string({
      description: 'genesis block hash from a trusted source',
      helpValue: 'HASH',
    }),
    'with-token': Flags.boolean({ description: `save the token of ${API_TOKEN_ENV}, for this gateway only` }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfileCreate)
    const name = newProfileName(args.name)
    const { gateway, timeout, 'key-file': keyFile, 'signer-command': signerCommand } = flags
    if ([gateway, timeout, keyFile, signerCommand].every((one) => one === undefined)) {
      throw usageError('the profile has no settings', 'Give --gateway, --key-file, --signer-command or --timeout.')
    }
    if (keyFile !== undefined && signerCommand !== undefined)
      throw usageError('both a key file and a signer command are given', 'Set only one of them.')
    const genesisHash = flags['genesis-hash']?.toLowerCase()
    if (genesisHash !== undefined && !/^[0-9a-f]{64}$/.test(genesisHash))
      throw usageError('--genesis-hash: expected 64 hex digits')
    const token = flags['with-token'] ? apiTokenOf(process.env) : undefined
    if (flags['with-token'] && token === undefined) throw usageError(`--with-token: ${API_TOKEN_ENV} is not set`)
    if (gateway === undefined && (genesisHash !== undefined || token !== undefined))
      throw usageError('a token or a genesis hash requires a gateway', 'Give --gateway.')
    // Validated now rather than at the first use.
    const settings = await resolveSettings({ gateway, timeout, insecure: flags.insecure })
    const pin = gateway === undefined ? undefined : await pinnedAt(settings, token, genesisHash)
    const profile: Profile = {
      gateway,
      chain: pin?.chain,
      genesis_hash: pin?.genesisHash,
      network_key: pin?.networkKey,
      key_file: keyFile === undefined ? undefined : resolve(keyFile),
      // A name alone is looked for on the path, wherever the profile is used.
      signer_command: signerCommand?.includes('/') === true ? resolve(signerCommand) : signerCommand,
      timeout,
    }
    const { active } = await changeProfiles((before) => ({
      ...before,
      active: flags.use ? name : before.active,
      profiles: { ...before.profiles, [name]: token === undefined ? profile : { ...profile, token } },
    }))
    if (pin?.note !== undefined) this.out.note(pin.note)
    const shown = { name, ...profile, token: token !== undefined, active: active === name }
    this.out.result(shown, `saved ${name}`)
  }
}
