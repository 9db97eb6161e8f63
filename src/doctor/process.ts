/** Owns the check of the process of a running node by its metrics: memory, open files, delay of its main thread. */
import { type DiagnosticContext, type Finding, ok, skip, warn } from './check.js'

/** Share of the permitted open files above which a burst of connections may fail. */
const OPEN_FILES_SHARE = 0.8
/** Delay of the main thread above which views fail, in seconds: consensus waits for it several times a height. */
const DELAY_MAX_SECONDS = 0.5
const MIB = 1024 * 1024

/** Check the process; no findings if the node does not respond, which is a separate check. */
export function checkProcess({ live }: DiagnosticContext): Finding[] {
  if (live === undefined || live instanceof Error) return []
  const { process } = live
  if (process === undefined) return [skip('process', 'hidden by the telemetry profile')]
  const { residentBytes, openFiles, openFilesMax, delaySeconds } = process
  if (openFiles !== undefined && openFilesMax !== undefined && openFiles > OPEN_FILES_SHARE * openFilesMax) {
    const text = `${openFiles} of ${openFilesMax} open files are in use`
    return [warn('process', text, 'Raise LimitNOFILE of the unit, or ulimit -n.')]
  }
  if (delaySeconds !== undefined && delaySeconds > DELAY_MAX_SECONDS) {
    const text = `its main thread responds up to ${Math.round(1_000 * delaySeconds)} ms late`
    return [warn('process', text, 'docs/operate/alerts.md#causewayeventloopslow')]
  }
  const parts = [
    residentBytes === undefined ? undefined : `${Math.round(residentBytes / MIB)} MiB of memory`,
    openFiles === undefined ? undefined : `${openFiles} open files`,
    delaySeconds === undefined ? undefined : `its main thread at most ${Math.ceil(1_000 * delaySeconds)} ms late`,
  ].filter((part) => part !== undefined)
  return [ok('process', parts.length === 0 ? 'it serves no metrics' : parts.join(', '))]
}
