/** Owns the start of the pages. */
import { render } from 'preact'
import { App } from './app.js'
import { follow } from './state/live.js'

const root = document.getElementById('app')
if (root !== null) render(<App />, root)
follow()
