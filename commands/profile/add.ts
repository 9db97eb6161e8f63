import { resolve } from 'node:path'
import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.js'
import { usageError } from '../../src/cli/failure.js'
import { readProfiles, writeProfiles } from '../../src/cli/profiles.js'
import { resolveSettings } from '../../src/cli/settings.js'

export default class ProfileAdd extends BaseCommand {
  static override description =
    `Save --gateway, --key-file and --timeout under a name; an existing profile of the name is replaced.
The key stays in its file: a profile holds its path.`
  static override examples = [
    '<%= config.bin %> profile add bank-a --gateway https://bank-a.example:8080 --key-file ~/keys/desk.json --use',
  ]
  static override args = { name: Args.string({ description: 'name', required: true, ignoreStdin: true }) }
  static override flags = { use: Flags.boolean({ description: 'make it the active one' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfileAdd)
    const { gateway, timeout, 'key-file': keyFile } = flags
    if (gateway === undefined && timeout === undefined && keyFile === undefined) {
      throw usageError('a profile without settings', 'Give --gateway, --key-file or --timeout.')
    }
    // Judged now rather than at the first use.
    await resolveSettings({ gateway, timeout })
    const before = await readProfiles()
    const profile = {
      ...(gateway === undefined ? {} : { gateway }),
      ...(keyFile === undefined ? {} : { key_file: resolve(keyFile) }),
      ...(timeout === undefined ? {} : { timeout }),
    }
    const active = flags.use ? args.name : before.active
    await writeProfiles({
      ...(active === undefined ? {} : { active }),
      profiles: { ...before.profiles, [args.name]: profile },
    })
    this.out.result({ name: args.name, ...profile, active: active === args.name }, `saved ${args.name}`)
  }
}
