// VitePress' theme, calmer, with a home page that plays a recording and with tables that are searched.
import { h } from 'vue'
import Theme from 'vitepress/theme'
import Played from './Played.vue'
import SearchTable from './SearchTable.vue'
import './style.css'

export default {
  extends: Theme,
  Layout: () => h(Theme.Layout, null, { 'home-hero-image': () => h(Played) }),
  enhanceApp: ({ app }) => app.component('SearchTable', SearchTable),
}
