// A page with status 200 is no reply: it rejects as an error status does.
import { visibleText } from 'tokenweir/blocks'
import { ResponseError, readReply } from 'tokenweir'

const PAGES = {
  'Sign in to continue': '<!doctype html>\n<html><head><title>\n Sign in\n to continue</title></head><body>data: {"choices": []}</body></html>',
  'Bad gateway nginx': '<html><style>h1 { color: red }</style><h1>Bad gateway</h1><hr>nginx</html>',
  '': '',
}
const DOORS = {
  readReply: (source) => readReply(source).result(),
  visibleText: async (source) => {
    for await (const text of visibleText(source)) return text
  },
}

export default {
  rule: 41,
  title: 'A page is no reply',
  *ask(door) {
    const read = DOORS[door.name]
    if (read === undefined) return
    const answers = (page, type) => read(Promise.resolve(new Response(page, { headers: { 'content-type': type } })))
    for (const [title, page] of Object.entries(PAGES)) {
      const check = (type) => () =>
        answers(page, type).then(
          (result) => `it was read: ${JSON.stringify(result)}`,
          (error) => (error instanceof ResponseError && error.status === 200 && error.code === 'html-page' && error.message.endsWith(title) && error.body === page ? undefined : `${error}`),
        )
      for (const type of ['text/html', 'Text/HTML; charset=utf-8', 'application/xhtml+xml']) yield { name: `${title}, ${type}`, check: check(type) }
    }
    yield { name: 'a page that a model writes', check: async () => ((await answers(PAGES[''] || '<html>Hi</html>', 'text/plain')) === undefined ? 'nothing was read' : undefined) }
  },
  atLeast: 20,
}
