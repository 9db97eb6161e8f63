/**
 * Owns the live chain data of all tabs of a browser. One of them, the holder of a Web Lock, reads the two streams and
 * forwards them: HTTP/1.1 limits a browser to six connections per node, so that two streams per tab would block the
 * third one.
 */
import type { ConsensusStatus } from '../../api/schema/consensus.js'
import type { NodeStatus } from '../../api/schema/node.js'
import { sleep } from '../../base/sleep.js'
import type { BlockView } from '../../features/explorer/schema/history.js'
import type { JsonOf, PageOf } from '../json.js'
import { ApiError, access, errorText, get, readStream } from './api.js'
import type { StreamEvent } from './sse.js'
import { Store } from './store.js'

export type Block = JsonOf<BlockView>
export type Status = JsonOf<ConsensusStatus>

/** Live chain data of this tab. */
export interface Live {
  /** Newest first. */
  readonly blocks: readonly Block[]
  /** Undefined if not yet known, or not public at this node. */
  readonly status: Status | undefined
  readonly link: 'connecting' | 'live' | 'lost'
  /** False while the node fetches blocks from its peers. */
  readonly isSynced: boolean
  /** Lowest height of a stored block: 1 unless the node prunes or started from a snapshot. */
  readonly firstHeight: number
  /** Reason why the node does not respond, or does not serve its status. */
  readonly linkText: string
  readonly statusText: string
}

const NAME = 'causeway-explorer'
/** Maximum cached blocks, two minutes of a fast chain, and the number read at the start. */
const BLOCKS_MAX = 1_200
const BLOCKS_READ = 200
/** Minimum interval between messages to other tabs, in ms. */
const PUBLISH_INTERVAL_MS = 200
/** Delays before a retry, in ms: doubled from the first to the last. */
const RETRY_MIN_MS = 500
const RETRY_MAX_MS = 5_000

export const live = new Store<Live>({
  blocks: [],
  status: undefined,
  link: 'connecting',
  isSynced: true,
  firstHeight: 1,
  linkText: '',
  statusText: '',
})

export const heightOf = ({ blocks, status }: Live): number => Math.max(blocks[0]?.height ?? 0, status?.height ?? 0)

/** Merge new blocks, each height once, newest first. */
function merged(known: readonly Block[], more: readonly Block[]): readonly Block[] {
  const [first] = more
  if (more.length === 1 && first !== undefined && first.height > (known[0]?.height ?? 0)) {
    return [first, ...known.slice(0, BLOCKS_MAX - 1)]
  }
  const byHeight = new Map([...known, ...more].map((block) => [block.height, block]))
  return [...byHeight.values()].sort((a, b) => b.height - a.height).slice(0, BLOCKS_MAX)
}

/** Message of the lock holder to the other tabs. */
type TabMessage =
  | { readonly kind: 'all'; readonly live: Live }
  | { readonly kind: 'hello' }
  | { readonly kind: 'part'; readonly part: Partial<Live>; readonly more: readonly Block[] }

/** Streams of one browser, in the tab that holds the lock. */
class Streams {
  private more: Block[] = []
  private part: Partial<Live> = {}
  private timer: number | undefined

  constructor(private readonly publish: (message: TabMessage) => void) {}

  async run(signal: AbortSignal): Promise<void> {
    this.change({ link: 'connecting' })
    await Promise.all([this.keep(signal, this.blocks), this.keep(signal, this.statuses), this.keep(signal, this.sync)])
  }

  /** Update the local state at once, and other tabs after a delay. */
  private change(part: Partial<Live>, more: readonly Block[] = []): void {
    live.change(more.length === 0 ? part : { ...part, blocks: merged(live.value.blocks, more) })
    this.part = { ...this.part, ...part }
    this.more.push(...more)
    this.timer ??= window.setTimeout(() => {
      this.publish({ kind: 'part', part: this.part, more: this.more.slice(-BLOCKS_MAX) })
      this.part = {}
      this.more = []
      this.timer = undefined
    }, PUBLISH_INTERVAL_MS)
  }

  /** Read repeatedly, with a delay between. */
  private async keep(
    signal: AbortSignal,
    read: (signal: AbortSignal, opened: () => void) => Promise<boolean>,
  ): Promise<void> {
    let waitMs = RETRY_MIN_MS
    const opened = (): void => {
      waitMs = RETRY_MIN_MS
    }
    while (!signal.aborted && (await read(signal, opened))) {
      await sleep(waitMs, { signal })
      waitMs = Math.min(RETRY_MAX_MS, waitMs * 2)
      while (!signal.aborted && access.value.refused) await sleep(RETRY_MIN_MS, { signal })
    }
  }

  /** Check once whether the node is synced, and its first stored height; the streams notice a lost link. */
  private readonly sync = async (signal: AbortSignal): Promise<boolean> => {
    try {
      const { synced: isSynced, first_height: first } = await get<JsonOf<NodeStatus>>('/status', {}, signal)
      const firstHeight = first ?? 1
      if (isSynced !== live.value.isSynced || firstHeight !== live.value.firstHeight) {
        this.change({ isSynced, firstHeight })
      }
    } catch {
      // A node without a response is not connected, and one that hides its status counts as synced.
    }
    return true
  }

  private readonly blocks = async (signal: AbortSignal, opened: () => void): Promise<boolean> => {
    try {
      const { items } = await get<PageOf<Block>>('/v1/explorer/blocks', { limit: BLOCKS_READ }, signal)
      this.change({}, items)
      const last = items[0] === undefined ? undefined : `${items[0].height}.0`
      const isOpen = (): void => {
        opened()
        this.change({ link: 'live', linkText: '' })
      }
      await readStream('/v1/explorer/blocks/stream', last, signal, isOpen, ({ event, data }: StreamEvent) => {
        if (event === 'block') this.change({}, [JSON.parse(data) as Block])
      })
    } catch (error) {
      if (!signal.aborted) this.change({ link: 'lost', linkText: errorText(error) })
    }
    return true
  }

  private readonly statuses = async (signal: AbortSignal, opened: () => void): Promise<boolean> => {
    try {
      await readStream('/v1/consensus/status/sse', undefined, signal, opened, ({ event, data }) => {
        if (event === 'status') this.change({ status: JSON.parse(data) as Status, statusText: '' })
      })
    } catch (error) {
      const isClosed =
        error instanceof ApiError && (error.status === 403 || error.code === 'telemetry_profile_restricted')
      if (isClosed) this.change({ statusText: errorText(error) })
      return !isClosed
    }
    return true
  }
}

/** Follow the chain in this tab until the page ends. */
export function follow(): void {
  if (navigator.locks === undefined || window.BroadcastChannel === undefined) return followAlone()
  const channel = new BroadcastChannel(NAME)
  const publish = (message: TabMessage): void => channel.postMessage(message)
  let isHolder = false
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === 'hello') {
      if (isHolder) publish({ kind: 'all', live: live.value })
    } else if (isHolder) return
    else if (data.kind === 'all') live.change({ ...data.live, blocks: merged(live.value.blocks, data.live.blocks) })
    else live.change({ ...data.part, blocks: merged(live.value.blocks, data.more) })
  }
  publish({ kind: 'hello' })
  const never = new AbortController().signal
  void navigator.locks.request(NAME, async () => {
    isHolder = true
    await new Streams(publish).run(never)
  })
}

/**
 * Follow the chain without a lock, which requires a secure context: each visible tab then has its own pair of streams.
 */
function followAlone(): void {
  let open: AbortController | undefined
  const look = (): void => {
    if (document.hidden) {
      open?.abort()
      open = undefined
    } else if (open === undefined) {
      open = new AbortController()
      void new Streams(() => undefined).run(open.signal)
    }
  }
  document.addEventListener('visibilitychange', look)
  look()
}
