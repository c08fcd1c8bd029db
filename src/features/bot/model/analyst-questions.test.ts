import { expect, it } from 'vitest'
import { smallTables, told } from './small-tables.fixture'

const school = smallTables(
  {
    pupils: {
      rows: 60,
      headings: [
        ['Pupil no', 'key'],
        ['Pupil name', 'name'],
        ['Gender', 'kind', 'F', 'M'],
        ['Minor', 'kind', 'Music', 'History'],
        ['Credits', 'number'],
        ['Signup date', 'date'],
      ],
    },
    lessons: {
      rows: 400,
      headings: [
        ['Lesson no', 'key'],
        ['Pupil no', 'link'],
        ['Result', 'kind', 'total loss', 'pass'],
        ['Held', 'date'],
        ['Fee', 'number'],
      ],
    },
  },
  ['lessons.Pupil no > pupils.Pupil no'],
)
told('what analysts ask of a school', school, [
  [
    'Which pupils have more than 3 lessons? Show the number of lessons.',
    'Number of lessons, by pupil name of Pupils, number of lessons more than 3',
  ],
  ['List the names of the 5 pupils with the most credits', 'Pupils: pupil name, Credits, credits, descending, top 5'],
  ['Which pupils have 30 credits?', 'Pupils: pupil name, credits is 30'],
  ['Average fee for pupils who signed up in 2023', 'Average fee, 2023-01-01 – 2023-12-31'],
  ['What is the total loss fee by result?', 'refuse'],
  ['How many pupils have not declared a minor?', 'clarify'],
  ['Average credits of women and men', 'clarify'],
  ['How many lessons are held in the next 3 months?', 'Number of lessons, held is from 2024-06-01 to 2024-09-01'],
  ['How many pupils are there in total?', 'Number of pupils'],
])

const cover = smallTables(
  {
    contracts: {
      rows: 40,
      headings: [
        ['Contract no', 'key'],
        ['Kind', 'kind', 'home', 'car'],
        ['Opened year', 'number'],
        ['Start date', 'date'],
        ['End date', 'date'],
        ['Premium', 'number'],
      ],
    },
    damages: {
      rows: 90,
      headings: [
        ['Damage no', 'key'],
        ['Contract no', 'link'],
        ['State', 'kind', 'came', 'pending'],
        ['Reported on', 'date'],
        ['Settled on', 'date'],
        ['Amount paid', 'number'],
      ],
    },
  },
  ['damages.Contract no > contracts.Contract no'],
)
told('what insurers ask', cover, [
  [
    'Which contracts are valid on 2024-03-01?',
    'Contracts: contract no, start date is at most 2024-03-01, end date is at least 2024-03-01 or is empty',
  ],
  [
    'How long does it take on average to settle a damage?',
    'How long does it take on average to settle a damage in days',
  ],
  [
    'What is the average number of days it takes to settle a damage?',
    'Average number of days it takes to settle a damage',
  ],
  ['Amount paid divided by premium per kind', 'clarify'],
  ['Damages that lasted longer than 14 days', 'Custom formula, by damage no, custom formula more than 0'],
  ['How many damages came?', 'clarify'],
  ['How many contracts per opening year?', 'Number of contracts, by opened year'],
])

const shelf = smallTables({
  reviews: {
    rows: 80,
    headings: [
      ['Review no', 'key'],
      ['Year', 'number'],
      ['Month', 'kind', 'January', 'May', 'October'],
    ],
  },
})
it('asks for months of rows that say their year and month apart', async () =>
  expect(await shelf('How many reviews in the last 10 months?')).toBe('Number of reviews'))

const land = smallTables(
  {
    nations: {
      rows: 20,
      headings: [
        ['Nation no', 'key'],
        ['Nation name', 'name'],
        ['Continent', 'kind', 'Asia', 'Europe'],
        ['Area', 'number'],
      ],
    },
    towns: {
      rows: 90,
      headings: [
        ['Town no', 'key'],
        ['Nation no', 'link'],
        ['Town name', 'name'],
        ['Inhabitants', 'number'],
        ['Is capital', 'yesNo'],
        ['Left', 'date'],
        ['Class', 'kind', 'harbour', 'market'],
      ],
    },
  },
  ['towns.Nation no > nations.Nation no'],
)
told('what is asked of places', land, [
  ['How many towns with more than 50000 people are there?', 'Number of towns, inhabitants is more than 50,000'],
  ['How many towns with more than 500 sheep are there?', 'refuse'],
  [
    'What is the largest nation in Asia by area?',
    'Nations: nation name, Area, continent is Asia, area, descending, top 1',
  ],
  ['How many harbour class towns are there?', 'Number of towns, class is harbour'],
  ['Number of towns that have left', 'Number of towns, left is not empty'],
])
