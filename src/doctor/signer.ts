/** Owns the check of the signer of a running node: its availability, and the active node. */
import { signerText } from '../cli/text/signer.js'
import { placeText } from '../signer/place.js'
import { type DiagnosticContext, type Finding, fail, ok, skip, warn } from './check.js'

/** No findings for a node that holds its own keys. */
export function checkSigner({ config, running, live }: DiagnosticContext): Finding[] {
  if (config?.signer === undefined) return []
  if (!running || live === undefined) return [skip('signer', 'the node is not running')]
  if (live instanceof Error) return [skip('signer', 'the node does not respond')]
  if (live.consensus === undefined) return [skip('signer', 'hidden by the telemetry profile')]
  const { signer } = live.consensus
  const place = placeText(config.signer.place)
  if (signer === undefined) {
    return [
      warn(
        'signer',
        `the running node does not use the signer at ${place}`,
        'restart with causeway node start, which reads it again',
      ),
    ]
  }
  const text = `${place}: ${signerText(signer)}`
  if (signer.connected) return [ok('signer', text)]
  return [fail('signer', text, 'causeway signer start on its machine: docs/operate/remote-signer.md')]
}
