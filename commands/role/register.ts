import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { permissionOf } from '../../src/cli/ledger/forms.js'
import type { Json } from '../../src/codec/index.js'
import { instructions as roles } from '../../src/features/permissions/schema.js'

export default class RoleRegister extends LedgerCommand {
  static override description = 'Register a role with permissions that the key may grant. Needs CanManageRoles.'
  static override examples = [
    '<%= config.bin %> role register teller --permission CanMint:usd#bank --manager bob@bank --key-file admin.json',
  ]
  static override args = {
    role: Args.string({ description: 'name of the role', required: true, ignoreStdin: true }),
  }
  static override flags = {
    permission: Flags.string({ description: 'permission, Name or Name:object; may be repeated', multiple: true }),
    manager: accountFlag({ description: 'manager of the role; may be repeated', multiple: true }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RoleRegister)
    await this.send(flags, async (drafting) => {
      const permissions: Json[] = []
      for (const text of flags.permission ?? []) permissions.push(await permissionOf(text, drafting))
      const managers: string[] = []
      for (const text of flags.manager ?? []) managers.push(await drafting.account(text))
      return [drafting.read(roles.registerRole, { id: args.role, permissions, managers })]
    })
  }
}
