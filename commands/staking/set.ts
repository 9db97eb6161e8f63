import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as staking } from '../../src/features/staking/schema/instructions.js'

export default class StakingSet extends LedgerCommand {
  static override description = 'Change the settings of a validator; omitted ones are kept.'
  static override examples = ['<%= config.bin %> staking set --commission-bps 700 --key-file val.json']
  static override flags = {
    address: Flags.string({ description: 'host:port of its links; may be repeated', multiple: true }),
    'commission-bps': Flags.integer({
      description: 'commission in bps, at most 500 more in one epoch',
      min: 0,
      max: 10_000,
    }),
    entity: Flags.string({ description: 'owning entity' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(StakingSet)
    const { address, entity, 'commission-bps': commission } = flags
    const update = { addresses: address ?? null, commission_bps: commission ?? null, entity: entity ?? null }
    await this.send(flags, ({ read }) => [read(staking.updateValidator, update)])
  }
}
