import { ListCommand } from '../../src/cli/command/list-command.js'
import { pageFlags } from '../../src/cli/gateway/pages.js'

export default class StakingValidators extends ListCommand {
  static override description = 'List validators with their bonds, seats and total stake.'
  static override examples = ['<%= config.bin %> staking validators', '<%= config.bin %> staking validators --json']
  static override flags = pageFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(StakingValidators)
    const columns = {
      VALIDATOR: 'account',
      BONDED: 'bonded',
      BEHIND: 'exposure.total',
      SEAT: 'has_seat',
      LISTED: 'is_listed',
      COMMISSION: 'validator.commission_bps',
    }
    await this.list(flags, ({ staking }) => staking.validators, columns)
  }
}
