import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { askGateway, optionalView, textOf, textsOf, viewOf } from '../../src/cli/gateway/gateway.js'
import { laneOf } from '../../src/cli/lane/lane.js'
import { pairs } from '../../src/cli/terminal/output.js'

export default class LaneShow extends BaseCommand {
  static override description =
    'Show one lane: its entry, its last service, and the validator that relays its settlements.'
  static override examples = ['<%= config.bin %> lane show 0', '<%= config.bin %> lane show 3 --json']
  static override args = { lane: Args.string({ description: 'number of the lane', required: true, ignoreStdin: true }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneShow)
    const settings = await this.settings(flags)
    const view = await askGateway(settings, ({ lanes }) => lanes.lane, { params: { id: laneOf(args.lane) } })
    const lane = viewOf(view.lane)
    const service = optionalView(view.last_service)
    const relayers = textsOf(view.relay_committee)
    this.out.result(
      view,
      pairs([
        ['lane', `${textOf(lane.id)} ${textOf(lane.alias)}`],
        ['state', textOf(lane.state)?.toLowerCase() ?? ''],
        ['dataspace', textOf(lane.dataspace) ?? ''],
        ['capacity', lane.teu_capacity === 0 ? 'none' : `${textOf(lane.teu_capacity)} units a block`],
        ['settles', textsOf(lane.settlement).join(' ') || '-'],
        ['visibility', textOf(lane.visibility)?.toLowerCase() ?? ''],
        ['storage', textOf(lane.storage) ?? ''],
        ['last served', service === undefined ? 'never' : `height ${textOf(service.height)}`],
        ['relayed by', `${relayers.length} peers${view.relay_committee_short === true ? ' (fewer than 3f + 1)' : ''}`],
      ]),
    )
  }
}
