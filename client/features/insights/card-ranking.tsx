import { Text } from '@mantine/core'
import type { Ranking } from './ranking'
import classes from './insights.module.css'

/** The first names of an answer with their figures, in the room of a small picture. */
export function CardRanking({ ranking }: { ranking: Ranking }) {
  const { heads, lines, more } = ranking
  return (
    <div style={{ marginTop: 'auto', paddingTop: 8 }}>
      <table className={classes.ranking}>
        {heads.length > 0 && (
          <thead>
            <tr>
              <td />
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {lines.map(({ name, cells }, line) => (
            <tr key={line}>
              <th scope="row">{name}</th>
              {cells.map((cell, at) => (
                <td key={at} className="figure">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more !== 0 && (
        <Text size="xs" c="dimmed">
          {more === 'rest' ? 'and the rest' : `and ${more} more`}
        </Text>
      )}
    </div>
  )
}
