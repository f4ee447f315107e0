// The Fastify server of the peer in postgres-search.ts, which starts this file as a process. Arguments: the URL of the
// database, and the path of the Fastify module, which is installed apart from the project. As in our API, responses
// have the records in `resultadoBusqueda`.
import postgres from 'postgres'

const [, , databaseUrl = '', fastifyModule = ''] = process.argv
const sql = postgres(databaseUrl, { max: 10 })
const columns = sql`code, title, area, checkin_date, inscription_date, municipality, links`
const { default: fastify } = await import(fastifyModule)
const app = fastify()

app.get('/record/:code', async (request: { params: { code: string } }) => ({
  resultadoBusqueda: await sql`SELECT ${columns} FROM record WHERE code = ${request.params.code}`,
}))

app.get('/record', async (request: { query: Record<string, string> }) => {
  const { search, municipality, checkin_date: year, limit } = request.query
  return {
    resultadoBusqueda: await sql`SELECT ${columns} FROM record WHERE true
      ${search === undefined ? sql`` : sql`AND words @@ plainto_tsquery('spanish', ${search})`}
      ${municipality === undefined ? sql`` : sql`AND municipality = ${municipality}`}
      ${year === undefined ? sql`` : sql`AND year = ${year}`}
      ORDER BY checkin_date DESC, code LIMIT ${Number(limit ?? 20)}`,
  }
})

process.stdout.write(`listening on ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
