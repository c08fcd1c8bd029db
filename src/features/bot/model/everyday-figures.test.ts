import { smallTables, told } from './small-tables.fixture'

const desk = smallTables(
  {
    members: {
      rows: 40,
      headings: [
        ['Member no', 'key'],
        ['First name', 'name'],
        ['Last name', 'name'],
        ['Newsletter', 'yesNo'],
      ],
    },
    errands: {
      rows: 300,
      headings: [
        ['Errand no', 'key'],
        ['Member no', 'link'],
        ['Severity', 'kind', 'Low', 'High', 'Critical'],
        ['Created', 'date'],
        ['Resolved', 'date'],
        ['Assignee', 'kind', 'Rut', 'Sven'],
        ['Reopened count', 'number'],
      ],
    },
  },
  ['errands.Member no > members.Member no'],
)
told('errands', desk, [
  ['How many critical errands are unresolved?', 'Number of errands, severity is Critical, resolved is empty'],
  ['How many errands were reopened?', 'Number of errands, reopened count is more than 0'],
  ['Share of high and critical errands', 'Share of high and critical errands'],
  [
    'Who resolves the most errands?',
    'Number of errands, by assignee, resolved is not empty, assignee is not empty, number of errands, highest first, top 1',
  ],
  ['How many errands have nobody assigned?', 'Number of errands, assignee is empty'],
  ['How many members get the newsletter?', 'Number of members, newsletter is yes'],
  [
    'Which members have never been critical?',
    'Members: first name, Last name, without errands where Severity is Critical',
  ],
  ['How many errands took more than 10 days to resolve?', 'Number of errands'],
])

const haulage = smallTables({
  trips: {
    rows: 200,
    headings: [
      ['Trip no', 'key'],
      ['From town', 'kind', 'Lund', 'Oslo'],
      ['To town', 'kind', 'Lund', 'Oslo', 'Kiel'],
      ['Loaded', 'date'],
      ['Weight kg', 'number'],
      ['Price', 'number'],
    ],
  },
})
told('two like headings', haulage, [
  ['How many trips from Lund to Oslo?', 'Number of trips, from town is Lund, to town is Oslo'],
  ['Average price per kg by to town', 'refuse'],
  ['Weight kg divided by price', 'Weight kg divided by price'],
  ['Gross result, price minus weight kg times 2', 'Price minus weight kg times 2'],
])

const books = smallTables({
  verifikationer: {
    rows: 500,
    headings: [
      ['Datum', 'date'],
      ['Vernr', 'link'],
      ['Kontonamn', 'kind', 'Löner', 'Lokalhyra', 'Försäljning varor'],
      ['Debet', 'number'],
      ['Kredit', 'number'],
    ],
  },
})
told('huvudbok', books, [
  ['Antal verifikationer i mars 2024', 'Antal verifikationer, 2024-03-01 – 2024-03-31'],
  ['Totala löner per månad', 'Totala, by month, kontonamn is Löner'],
  ['Saldo på löner, alltså debet minus kredit', 'Debet minus kredit, kontonamn is Löner'],
])

const inn = smallTables(
  {
    rooms: {
      rows: 12,
      headings: [
        ['Room no', 'key'],
        ['Room type', 'kind', 'single', 'suite'],
        ['Sea view', 'yesNo'],
      ],
    },
    stays: {
      rows: 200,
      headings: [
        ['Stay no', 'key'],
        ['Room no', 'link'],
        ['Check in', 'date'],
        ['Check out', 'date'],
        ['Booked', 'date'],
        ['State', 'kind', 'checked out', 'cancelled'],
        ['Channel', 'kind', 'direct', 'partner'],
        ['Work cost', 'number'],
        ['Total', 'number'],
      ],
    },
  },
  ['stays.Room no > rooms.Room no'],
)
told('stays', inn, [
  [
    'How many stays were cancelled in 2024, based on the check-in date?',
    'Number of stays, check in is from 2024-01-01 to 2024-12-31, state is cancelled',
  ],
  ['What is the cancellation rate per channel?', 'Cancelled rate, by channel'],
  ['Average length of stay for stays that were checked out', 'Average length of stay in days, state is checked out'],
  ['Which rooms with sea view?', 'Rooms: room no, sea view is yes'],
  ['Which stay cost the most?', 'clarify'],
  ['Stays per hour', 'refuse'],
])

const energy = smallTables(
  {
    anlaggningar: {
      rows: 10,
      headings: [
        ['Anläggning', 'key'],
        ['Typ', 'kind', 'Villa', 'Lokal'],
        ['Avtalsslut', 'date'],
      ],
    },
    forbrukning: {
      rows: 170,
      headings: [
        ['Anläggning', 'link'],
        ['Månad', 'date'],
        ['kWh', 'number'],
        ['Kostnad', 'number'],
      ],
    },
    tidrader: {
      rows: 300,
      headings: [
        ['Konsult', 'kind', 'Eva', 'Per'],
        ['Datum', 'date'],
        ['Timmar', 'number'],
        ['Debiterbar', 'yesNo'],
      ],
    },
  },
  ['forbrukning.Anläggning > anlaggningar.Anläggning'],
)
told('energi', energy, [
  ['Genomsnittlig kostnad per kWh, alltså kostnad delat med kWh', 'Kostnad delat med kwh'],
  ['Antal aktiva anläggningar per typ', 'Antal anläggningar, by typ, avtalsslut is empty'],
  ['Kostnad per månad för villor', 'Total kostnad, by month, typ of Anlaggningar is Villa'],
  ['Månader då kostnaden översteg 15000', 'clarify'],
  ['Debiteringsgrad per konsult, dvs andel debiterbara timmar', 'Andel timmar, by konsult'],
])

const club = smallTables(
  {
    medlemmar: {
      rows: 30,
      headings: [
        ['Medlemsnr', 'key'],
        ['Namn', 'name'],
        ['Inträdesdatum', 'date'],
        ['Utträdesdatum', 'date'],
      ],
    },
    avgifter: {
      rows: 60,
      headings: [
        ['Avgiftsnr', 'key'],
        ['Medlemsnr', 'link'],
        ['Förfallodag', 'date'],
        ['Betaldag', 'date'],
        ['Belopp', 'number'],
      ],
    },
    tasks: {
      rows: 90,
      headings: [
        ['Task no', 'key'],
        ['Title', 'name'],
        ['Created on', 'date'],
        ['Due date', 'date'],
        ['Done on', 'date'],
      ],
    },
  },
  ['avgifter.Medlemsnr > medlemmar.Medlemsnr'],
)
told('medlemmar', club, [
  ['Hur många medlemmar har vi idag?', 'clarify'],
  [
    'Vilka medlemmar har inte betalat avgiften för 2024?',
    'Medlemmar: namn, without avgifter where Förfallodag is from 2024-01-01 to 2024-12-31, Betaldag is not empty',
  ],
])
