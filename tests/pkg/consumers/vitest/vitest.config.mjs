export default { test: { include: ['reply.vitest.mjs'] } }
