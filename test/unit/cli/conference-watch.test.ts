/** Watching a call that does not exist prints a note and continues. */
import { expect, it, onTestFinished } from 'vitest'
import { routeTable } from '../../../src/api/route.js'
import { noteAbsentCall } from '../../../src/cli/conference/watch.js'
import { resolveSettings } from '../../../src/cli/settings/settings.js'
import { Output } from '../../../src/cli/terminal/output.js'
import { callRoute } from '../../../src/features/conference/schema/routes.js'
import { LedgerError } from '../../../src/model/index.js'
import { FakeNode, gatewayOf } from '../gateway/support.js'

/** Output if the node responds to the request for the call with this error. */
async function notesOf(code: 'not_found' | 'storage_corrupt'): Promise<string[]> {
  const node = new FakeNode()
  const asked: string[] = []
  node.onQuery = async (kind) => {
    asked.push(kind)
    throw new LedgerError(code, 'as the test says')
  }
  const gateway = gatewayOf(node, {}, { routes: routeTable(callRoute) })
  onTestFinished(() => gateway.close())
  const { url } = await gateway.listen()
  const notes: string[] = []
  const out = new Output(false, false)
  out.note = (text) => void notes.push(text)
  await noteAbsentCall(await resolveSettings({ gateway: url }, {}, '/'), out, 'bank:standup')
  expect(asked).toEqual(['conferenceCall'])
  return notes
}

it('the watch reports a missing call once', async () => {
  expect(await notesOf('not_found')).toEqual(['call bank:standup does not exist yet: waiting for it'])
})

it('the watch fails on any other error response', async () => {
  // The route does not declare it.
  await expect(notesOf('storage_corrupt')).rejects.toMatchObject({ code: 'internal' })
})
