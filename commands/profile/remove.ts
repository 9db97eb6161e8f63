import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { changeProfiles, profileOf } from '../../src/cli/settings/profiles.js'

export default class ProfileRemove extends BaseCommand {
  static override description = 'Remove a profile; key files are kept.'
  static override examples = ['<%= config.bin %> profile remove bank-a']
  static override args = { name: Args.string({ description: 'name', required: true, ignoreStdin: true }) }

  async run(): Promise<void> {
    const { args } = await this.parse(ProfileRemove)
    await changeProfiles((before) => {
      profileOf(before, args.name)
      const { [args.name]: _removed, ...profiles } = before.profiles
      const active = before.active === args.name ? undefined : before.active
      return { active, profiles }
    })
    this.out.result({ name: args.name, removed: true }, `removed ${args.name}`)
  }
}
