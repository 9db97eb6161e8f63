/** Owns the flags of `watch` and the choice of its mode. */
import { Flags } from '@oclif/core'
import { DEFAULT_LOCALNET, localnetFolder, requireLocalnet } from '../settings/localnet-record.js'

/** Frame size without a terminal. */
const PAGE = { columns: 120, rows: 36 } as const
/** Default frames per second. */
const FPS = 4

export const watchFlags = {
  dir: Flags.string({
    description: `folder of a local network, for names and its first node as the gateway unless --gateway is given (default ${DEFAULT_LOCALNET})`,
  }),
  lines: Flags.boolean({ description: 'print one line per block, view change and stall, instead of a screen' }),
  once: Flags.boolean({ description: 'print one frame and exit' }),
  limit: Flags.integer({
    char: 'n',
    description: 'exit after this many events; the first line shows the status of the node',
    min: 1,
    helpValue: 'N',
  }),
  'screen-reader': Flags.boolean({ description: 'print sentences instead of a screen (INK_SCREEN_READER)' }),
  'all-events': Flags.boolean({
    description: 'show every transaction and change, not only blocks, rejections, names and guests',
  }),
  ascii: Flags.boolean({ description: 'draw with ASCII only' }),
  theme: Flags.option({
    options: ['dark', 'light', 'plain'] as const,
    description: 'colours',
    default: 'dark' as const,
  })(),
  fps: Flags.integer({ description: 'maximum screen updates per second', default: FPS, min: 1, max: 30 }),
}

/** Mode of a run, from the flags and the terminal. */
export type WatchMode = 'screen' | 'lines' | 'sentences' | 'once'

/** Choose the mode of a run: a screen requires terminals for input and output that can move the cursor. */
export function modeOf(
  flags: { readonly once: boolean; readonly lines: boolean; readonly json: boolean; readonly 'screen-reader': boolean },
  env: NodeJS.ProcessEnv,
  terminal: boolean,
): WatchMode {
  if (flags.once) return 'once'
  if (flags.json) return 'lines'
  if (flags['screen-reader'] || env['INK_SCREEN_READER'] === 'true') return 'sentences'
  return flags.lines || !terminal || env['TERM'] === 'dumb' ? 'lines' : 'screen'
}

/** Gateway of the watched node: from --gateway, else the first node of the network in --dir. */
export async function watchedGateway(flags: {
  readonly gateway?: string | undefined
  readonly dir?: string | undefined
}): Promise<string | undefined> {
  if (flags.gateway !== undefined || flags.dir === undefined) return flags.gateway
  return (await requireLocalnet(localnetFolder(flags.dir))).peers[0]?.gateway
}

/** Size of the terminal, or of a page without one. */
export const sizeOf = (stdout: NodeJS.WriteStream): { readonly columns: number; readonly rows: number } =>
  stdout.isTTY === true && stdout.columns > 0 ? { columns: stdout.columns, rows: stdout.rows } : PAGE
