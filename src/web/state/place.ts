/** Owns the current location of the browser. */
import { routeOf } from '../route.js'
import { Store } from './store.js'

export const place = new Store(routeOf(window.location.hash))

window.addEventListener('hashchange', () => place.set(routeOf(window.location.hash)))
