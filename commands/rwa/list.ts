import { Flags } from '@oclif/core'
import { ListCommand } from '../../src/cli/command/list-command.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'
import { accountFlag, assetFlag } from '../../src/cli/input/texts.js'
import { LOT_COLUMNS } from '../../src/cli/rwa/forms.js'

export default class RwaList extends ListCommand {
  static override description = 'List live lots by class and number.'
  static override examples = [
    '<%= config.bin %> rwa list --class gold#bank',
    '<%= config.bin %> rwa list --holder alice@bank --json',
  ]
  static override flags = {
    class: assetFlag({ description: 'only lots of this class' }),
    holder: accountFlag({ description: 'only lots of this account, those that vaults hold of it included' }),
    reference: Flags.string({ description: 'only lots with this reference' }),
    frozen: Flags.boolean({ description: 'only frozen lots; --no-frozen: only others', allowNo: true }),
    ...pageFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(RwaList)
    const { class: definition, holder, reference, frozen } = flags
    const query = { class: definition, holder, reference, frozen }
    await this.list(flags, ({ rwas }) => rwas.lots, LOT_COLUMNS, { query })
  }
}
