import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { nodeConfigFlags, nodeConfigPath } from '../../src/cli/command/flags.js'
import { pairs } from '../../src/cli/terminal/output.js'
import { EXIT } from '../../src/model/errors.js'
import type { ReplayReport } from '../../src/node/ledger/replay.js'

export default class BlockReplay extends BaseCommand {
  static override description = `Execute the stored blocks of a node again, on a scratch state, and compare.
From genesis on, every root of every block is checked; at the height of the node's state every row is compared with the
replayed one. With --explain a differing row names the block and the instruction that wrote it last. The node must
be stopped; its own state is only read. Exits 10 if there is a difference.`
  static override examples = [
    '<%= config.bin %> block replay --config node.toml --explain',
    '<%= config.bin %> block replay --peer-dir .causeway/localnet/val-2 --explain --json',
    '<%= config.bin %> block replay --config node.toml --data-dir /backup/data --from-height 9000 --to-height 9100',
  ]
  static override flags = {
    ...nodeConfigFlags,
    'data-dir': Flags.string({ description: 'data directory, if not the one of the configuration' }),
    'from-height': Flags.integer({
      aliases: ['from'],
      deprecateAliases: true,
      description: 'first height whose instructions are traced',
      min: 2,
      default: 2,
    }),
    'to-height': Flags.integer({
      aliases: ['to'],
      deprecateAliases: true,
      description: "last height (default: height of the node's state)",
      min: 1,
    }),
    explain: Flags.boolean({ description: 'trace every instruction, to name the last writer of a differing row' }),
    'work-dir': Flags.string({ description: 'folder for the scratch state (default: the temporary folder)' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(BlockReplay)
    const { mkdtemp, rm } = await import('node:fs/promises')
    const { tmpdir } = await import('node:os')
    const { join } = await import('node:path')
    const { loadNodeConfig } = await import('../../src/node/config/index.js')
    const { recordsOf, withDataDir } = await import('../../src/node/offline/offline.js')
    const { replayBlocks } = await import('../../src/node/ledger/replay.js')
    const { describeRow, describeValue } = await import('../../src/node/chain/rows.js')
    const config = await loadNodeConfig(nodeConfigPath(flags))
    const scratch = await mkdtemp(join(flags['work-dir'] ?? tmpdir(), 'causeway-replay-'))
    try {
      await withDataDir(config, flags['data-dir'], async (place) => {
        const { folder, pinned } = place
        const { genesis } = pinned
        const records = recordsOf(place)
        const codec = records.codec(genesis.payload.value.addressPrefix)
        const { 'from-height': from, 'to-height': to, explain } = flags
        const report = await this.withBar('executing', 'blocks', (report) =>
          replayBlocks({
            ...place,
            scratch,
            genesis,
            from,
            explain,
            to,
            onBlock: (height, target) => report({ done: height, total: target }),
          }),
        )
        const rows = report.wrongRows?.map(({ row, stored, expected, lastWrite }) => ({
          ...describeRow(records, codec, row),
          stored: describeValue(records, codec, row, stored),
          expected: describeValue(records, codec, row, expected),
          last_write:
            lastWrite === undefined
              ? null
              : {
                  height: lastWrite.height,
                  transaction: lastWrite.touch && Buffer.from(lastWrite.touch.transaction).toString('hex'),
                  position: lastWrite.touch?.position,
                  instruction: lastWrite.touch?.label ?? 'the block itself',
                },
        }))
        this.show(folder, report, rows)
      })
    } finally {
      await rm(scratch, { recursive: true, force: true })
    }
  }

  private show(folder: string, report: ReplayReport, rows: readonly RowView[] | undefined): void {
    const { failed, reproduced, stateHeight } = report
    const sound = failed === undefined && (rows?.length ?? 0) === 0
    const root = report.stateRoot.toString('hex')
    const view = {
      data_dir: folder,
      state_height: stateHeight,
      reproduced_to: reproduced,
      state_root: root,
      failed_block: failed ?? null,
      rows_compared: rows !== undefined,
      differing_rows: rows ?? [],
      sound,
    }
    const lines = (rows ?? []).flatMap((row) => [
      `differs: table ${row.table}, key ${JSON.stringify(row.key)}`,
      `  stored    ${JSON.stringify(row.stored)}`,
      `  expected  ${JSON.stringify(row.expected)}`,
      ...(row.last_write === null
        ? []
        : [
            `  written   at height ${row.last_write.height} by ${row.last_write.instruction}${row.last_write.transaction === undefined ? '' : ` of transaction ${row.last_write.transaction}`}`,
          ]),
    ])
    const result = sound ? 'sound' : failed !== undefined ? `block ${failed.height}: ${failed.detail}` : 'rows differ'
    const text = pairs([
      ['data directory', folder],
      ['state height', String(stateHeight)],
      ['reproduced to', `${reproduced}, state root ${root}`],
      ['rows', rows === undefined ? 'not compared: the replay ended at another height' : `${rows.length} differ`],
      ['result', result],
    ])
    this.out.result(view, [text, ...lines].join('\n'))
    if (!sound) this.exitWith(EXIT.checkFailed)
  }
}

interface RowView {
  readonly table: string
  readonly key: unknown
  readonly stored: unknown
  readonly expected: unknown
  readonly last_write: {
    readonly height: number
    readonly transaction: string | undefined
    readonly position: number | undefined
    readonly instruction: string
  } | null
}
