/** Owns reads of pages: the response of a route, refreshed as the chain grows. */
import { useEffect, useState } from 'preact/hooks'
import { afterError, type Read } from '../kept.js'
import { ApiError, access, get } from './api.js'
import { heightOf, live } from './live.js'
import { useStore } from './store.js'

/** Minimum interval between reads that follow the chain, and retry delay after a fault of the node, in ms. */
const AGAIN_MS = 1_000
const RETRY_MS = 2_000

const isPassing = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 429

/** Read repeatedly; `set` is called with each response. Returns the function that stops it. */
function keepReading<T>(path: string, query: Query, follows: boolean, set: (read: (old: Read<T>) => Read<T>) => void) {
  const stop = new AbortController()
  let [height, readMs, isRunning, timer] = [-1, 0, false, undefined as number | undefined]
  const later = (ms: number): void => {
    timer ??= window.setTimeout(() => {
      timer = undefined
      void run()
    }, ms)
  }
  const run = async (): Promise<void> => {
    if (isRunning || document.hidden) return
    isRunning = true
    height = heightOf(live.value)
    readMs = performance.now()
    try {
      const value = await get<T>(path, query, stop.signal)
      if (!stop.signal.aborted) set(() => ({ value, error: undefined }))
    } catch (error) {
      if (stop.signal.aborted) return
      set((old) => afterError(old, error, isPassing(error)))
      if (isPassing(error)) later(RETRY_MS)
    } finally {
      isRunning = false
    }
    changed()
  }
  const changed = (): void => {
    if (follows && !isRunning && heightOf(live.value) !== height)
      later(Math.max(0, readMs + AGAIN_MS - performance.now()))
  }
  const unwatch = live.watch(changed)
  const seen = (): void => {
    if (!document.hidden && (follows || readMs === 0)) later(0)
  }
  document.addEventListener('visibilitychange', seen)
  void run()
  return () => {
    stop.abort()
    unwatch()
    document.removeEventListener('visibilitychange', seen)
    window.clearTimeout(timer)
  }
}

type Query = Readonly<Record<string, string | number | undefined>>

/**
 * Response of a route. `follows`: it is refreshed as the chain grows. A new `turn` reads it again. Without a path
 * nothing is read.
 */
export function useRead<T>(path: string | undefined, query: Query = {}, follows = false, turn = 0): Read<T> {
  const { token, session } = useStore(access)
  const key = `${path} ${JSON.stringify(query)} ${token ?? ''} ${session ?? ''}`
  const [state, set] = useState<{ readonly key: string; readonly read: Read<T> }>({ key, read: NOTHING })
  // The key identifies path, query, token and session.
  useEffect(() => {
    if (path === undefined) return undefined
    return keepReading<T>(path, query, follows, (next) =>
      set((old) => ({ key, read: next(old.key === key ? old.read : NOTHING) })),
    )
  }, [key, follows, turn])
  return state.key === key ? state.read : NOTHING
}

const NOTHING = { value: undefined, error: undefined }
