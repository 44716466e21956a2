/** The interface in Spanish. */
import type { Messages } from './en.ts';
import { countOf, formatCount } from './numbers.ts';

const ORDINALS = ['1.er', '2.º', '3.er', '4.º'];

export const es: Messages = {
  language: 'Español',
  frame: {
    skip: 'Ir al contenido',
    main: 'Principal',
    data: 'Datos',
    places: 'Lugares',
    sql: 'SQL',
    api: 'API',
    site: 'Sitio',
    searchLabel: 'Buscar datos y lugares',
    searchPlaceholder: 'Datos y lugares',
    search: 'Buscar',
    releases: 'Publicaciones',
    sample: 'Datos sintéticos de muestra: ninguna cifra describe un lugar real.',
    release: 'Publicación',
    releaseOf: (release, date) => `${release}, del ${date}`,
    licence: 'Licencia',
    attribution: 'Atribución',
    contact: 'Contacto',
    documentation: 'Documentación',
    howToCheck: 'Cómo comprobar estas cifras',
    checksums: 'Sumas de comprobación de todos los archivos',
    allFiles: 'Lista de todos los archivos',
    dataPackage: 'Paquete de datos',
    openapi: 'OpenAPI',
    howToCite: 'Cómo citar',
    whatChanged: 'Qué cambió',
    filesHere: 'Archivos de esta carpeta',
  },
  format: {
    'percentage points': size => `${size} puntos porcentuales`,
    points: size => `${size} puntos`,
    share: 'parte de uno (0.25 es 25 %)',
    dollars: 'dólares',
    yes: 'sí',
    no: 'no',
    noYears: 'sin años',
    without: (years, missing) => `${years}, sin ${missing}`,
  },
  timeline: {
    nouns: { year: 'año', quarter: 'trimestre', month: 'mes', day: 'día', instant: 'momento' },
    quarter: (year, quarter) => `${ORDINALS[quarter - 1]} trimestre de ${year}`,
    shortQuarter: (year, quarter) => `T${quarter} ${year}`,
    month: (year, month) => `${month} de ${year}`,
    shortMonth: (year, month) => `${month} ${year}`,
    day: (year, month, day) => `${day} de ${month} de ${year}`,
    shortDay: (month, day) => `${day} ${month}`,
    during: {
      year: label => `en ${label}`,
      quarter: label => `en el ${label}`,
      month: label => `en ${label}`,
      day: label => `el ${label}`,
      instant: label => `el ${label}`,
    },
  },
  words: {
    any: 'cualquiera',
    none: 'ninguno',
    percent: 'porcentaje',
    allYears: 'todos los años',
    from: start => `desde ${start}`,
    upTo: end => `hasta ${end}`,
    fromTo: (start, end) => `${start} a ${end}`,
    andMore: (names, more) => `${names} y ${more} más`,
    more: count => `Y ${count} más.`,
    source: source => `Fuente: ${source}.`,
    version: (title, version, release) => `${title}, versión ${version}, publicación ${release}.`,
    licence: licence => `Licencia: ${licence}.`,
    noFigure: 'sin cifra',
    noRow: 'sin fila',
    unreliable: 'poco fiable',
    noValueOf: column => `Sin ${column}`,
    nullMeans: meaning => `NULL significa: ${meaning}`,
    nullFigure: 'Sin cifra.',
    nullValue: 'Sin valor.',
    noneSaid: 'no hay ninguna cifra publicada',
    noneOfAll: 'No hay ninguna cifra publicada.',
    missing: count => `${countOf(count, 'no tiene', 'no tienen')} cifra publicada.`,
    start: value => `El eje empieza en ${value}, no en cero.`,
  },
  extremes: {
    highest: (named, rivals) =>
      rivals === 0
        ? `La más alta: ${named}.`
        : `La estimación más alta: ${named}, dentro de los márgenes de ${countOf(rivals, 'otra')}.`,
    lowest: (named, rivals) =>
      rivals === 0
        ? `La más baja: ${named}.`
        : `La estimación más baja: ${named}, dentro de los márgenes de ${countOf(rivals, 'otra')}.`,
  },
  difference: {
    more: (size, margin, other) => `${size} más${margin} que ${other}`,
    less: (size, margin, other) => `${size} menos${margin} que ${other}`,
    same: other => `igual que ${other}`,
    unclear: (margin, other) => `ni claramente más ni claramente menos que ${other}${margin}`,
  },
  sentence: {
    of: (count, level, isAmong) =>
      [`De ${count}`, level, isAmong ? 'con cifra' : ''].filter(part => part !== '').join(' '),
    highest: {
      is: (place, figure) => `${place} tiene la cifra más alta (${figure})`,
      share: (count, figure) => `${count} comparten la cifra más alta (${figure})`,
    },
    estimatedHighest: {
      is: (place, figure) => `${place} tiene la estimación más alta (${figure})`,
      share: (count, figure) => `${count} comparten la estimación más alta (${figure})`,
    },
    lowest: {
      is: (place, figure) => `${place} tiene la más baja (${figure})`,
      share: (count, figure) => `${count} comparten la más baja (${figure})`,
    },
    extremes: (of, greatest, least) => [`${of}, `, greatest, `, y ${least}.`],
  },
  title: {
    in: (subject, places) => `${subject} en ${places}`,
    by: groups => `por ${groups}`,
    // The gender of a level's name isn't known, so no "todos los" or "todas las".
    all: level => level,
  },
  rank: {
    at: (position, of) => `${position}.º de ${of}`,
    between: (best, worst, of) => `entre ${best}.º y ${worst}.º de ${of}`,
  },
  places: {
    within: (kind, place) => `${kind} en ${place}`,
    noClearChange: 'sin cambio claro',
    noChange: 'sin cambio',
  },
  terms: {
    team: 'Equipo',
    support: 'Ayuda',
    levels: 'Niveles de servicio',
    price: 'Precio',
    per: (price, unit) => `${price} por ${unit}`,
  },
  view: {
    names: { chart: 'Líneas', bars: 'Barras', map: 'Mapa', table: 'Tabla' },
    shows: {
      chart: 'Las líneas muestran',
      bars: 'Las barras muestran',
      map: 'El mapa muestra',
      table: 'La tabla muestra',
    },
    absent: {
      chart: 'Las líneas necesitan cifras de dos años o más, y este conjunto de datos no las tiene',
      bars: 'Este conjunto de datos no tiene cifras que se puedan dibujar',
      map: 'El mapa no tiene las formas de los lugares de este conjunto de datos',
      table: '',
    },
    noPlaceOfLevel: item => `'${item}' nombra un nivel, pero ningún lugar de ese nivel`,
  },
  lost: {
    places: (shows, names) => `${shows} todos los lugares de un nivel. Ya no están elegidos: ${names}.`,
    periods: (shows, unit, period) => `${shows} un solo ${unit}: ${period}.`,
    values: (shows, label, value) => `${shows} aquí un solo valor de ${label}: ${value}.`,
    absent: names => `Este conjunto de datos no tiene filas sobre ${names}.`,
    beside: (shows, level, names) =>
      `${shows} filas de un solo nivel (${level}), sin ${names}. Las líneas y las barras muestran ambos.`,
  },
  notices: {
    pooling: years =>
      `Cada cifra reúne ${years} años de respuestas. Las cifras con menos de ${years} años de distancia comparten respuestas, así que su diferencia no es un cambio anual.`,
    total: total =>
      `las filas muestran el total, «${total}», junto a sus partes. Al sumarlas se cuenta lo mismo dos veces.`,
    overlap: groups =>
      `las filas muestran grupos de más de un tipo (${groups}), que se superponen. Al sumarlos se cuenta lo mismo dos veces.`,
    noTotal:
      'las filas muestran varios valores, y ningún total los reúne. Hay que leer cada uno por separado, sin sumarlos.',
    several:
      'las filas muestran varios valores. Solo se pueden sumar si las notas del conjunto de datos dicen que no se superponen.',
  },
  drawing: {
    figure: 'Cifra',
    otherLevel: level => `El mapa solo muestra filas del nivel «${level}».`,
    noRows: 'Ninguna fila corresponde a la selección.',
    noFigures: (rows, figure) => `Ninguna de estas ${rows} filas tiene una cifra de «${figure}».`,
    noShapes: 'El mapa no tiene la forma de ninguna de estas filas.',
    unmapped: (count, all, names) =>
      count === 1
        ? `1 de ${countOf(all, 'lugar', 'lugares')} no está en el mapa, que no tiene su forma: ${names}. Su fila está en la tabla.`
        : `${formatCount(count)} de ${countOf(all, 'lugar', 'lugares')} no están en el mapa, que no tiene sus formas: ${names}. Sus filas están en la tabla.`,
    greatestBars: (drawn, all) =>
      `Se dibujan las ${formatCount(drawn)} mayores de ${countOf(all, 'cifra')}. La tabla las tiene todas.`,
    firstBars: (drawn, all) =>
      `Se dibujan las ${formatCount(drawn)} primeras de ${countOf(all, 'cifra')}. La tabla las tiene todas.`,
    firstCharts: (drawn, all) =>
      `Se dibujan las primeras ${drawn} de ${countOf(all, 'gráfica')}. Elija los lugares que quiere comparar.`,
    marks: year =>
      `La marca en una barra es ${year}; el número después de la cifra es el cambio desde entonces.`,
    marksInPoints: year =>
      `La marca en una barra es ${year}; el número después de la cifra es el cambio desde entonces, en puntos.`,
    median: (count, figure) => `La línea discontinua es la mediana de ${countOf(count, 'cifra')}: ${figure}.`,
    barMargins: label => `Los trazos en los extremos de las barras muestran el margen de error («${label}»).`,
    lineMargins: label => `Los trazos verticales muestran el margen de error («${label}»).`,
    hiddenMargins: lines =>
      `Cada cifra tiene un margen de error. La gráfica lo muestra con ${lines} líneas como máximo; la tabla de abajo lo tiene siempre.`,
    unreliableBar: 'Una barra rayada es poco fiable: su margen de error es más de la mitad de su cifra.',
    unreliablePoint: 'Un punto hueco es poco fiable: su margen de error es más de la mitad de su cifra.',
    unreliablePlace: 'Un lugar punteado es poco fiable: su margen de error es más de la mitad de su cifra.',
    classes: 'Cada clase de color tiene más o menos el mismo número de lugares.',
    hatched: meaning => `Los lugares rayados no tienen cifra. ${meaning}`,
    ownScales: 'Cada gráfica pequeña tiene su propia escala, porque las cifras difieren mucho en tamaño.',
    sameScale: 'Todas las gráficas pequeñas tienen la misma escala.',
    notComparable: (year, reason) =>
      `Las cifras hasta ${year} no se pueden comparar con las posteriores: ${reason}`,
    breakLabel: 'no comparable',
    gap: unit => `Un hueco en una línea es un ${unit} sin cifra publicada.`,
    gapOrRange: unit => `Un hueco en una línea es un ${unit} sin cifra publicada, o fuera del rango elegido.`,
  },
  map: { north: 'N', south: 'S', east: 'E', west: 'O' },
  answer: { title: 'Respuesta a una consulta SQL', area: 'Todas las filas de la respuesta' },
  panel: {
    explore: 'Explorar los datos',
    showAs: 'Mostrar la respuesta como',
    rankBy: 'Ordenar por',
    ranks: { value: 'cifra', change: 'cambio' },
    tooMany:
      'Una gráfica no puede mostrar tantas filas. Elija lugares, menos años o valores sueltos, o abra la tabla, que las muestra todas.',
    chooseAnother: 'Elija otro nivel, año, lugar o valor.',
    readBars: title => `${title}: leer las barras con las teclas de flecha`,
    readLines: (title, unit) => `${title}: leer un ${unit} con las teclas de flecha`,
    fewerBars: 'Mostrar menos barras',
    allBars: count => `Mostrar las ${count} barras`,
    ranked: 'Lugares, desde la cifra más alta',
    readingShapes: 'Leyendo las formas…',
    asTable: 'Mostrar las cifras como tabla',
    figures: 'Cifras de la gráfica',
    firstFigures: count => `Estas son las primeras ${count} cifras. La vista de tabla las tiene todas.`,
    question: 'Qué muestra la vista',
    figure: 'Cifra',
    level: 'Nivel',
    places: 'Lugares',
    year: 'Año',
    from: 'desde',
    to: 'hasta',
    compare: 'Comparar',
    placesOnly: 'Solo lugares',
    more: filters =>
      filters === 0
        ? 'Más opciones'
        : `Más opciones (${countOf(filters, 'filtro elegido', 'filtros elegidos')})`,
    allPlaces: count => `Todos (${count}): escribir un nombre`,
    addPlace: 'Añadir un lugar',
    inGrey: names => `Mostrar ${names} en gris`,
    allValues: 'Todos: escribir un nombre o código',
    addValue: 'Añadir otro',
    toChoose: count => `${count} para elegir.`,
    matches: count => countOf(count, 'resultado'),
    nothingCalled: text => `Nada se llama «${text}». Escriba menos, u otro nombre o código.`,
    chosen: label => `${label}: elegidos`,
    remove: name => `Quitar ${name}`,
    removeRange: label => `Quitar el rango de ${label}`,
    total: 'total',
    any: 'Cualquiera',
    sideBySide: 'Todos los valores, lado a lado',
    several: 'Varios…',
    values: (label, count) => `${label}: ${countOf(count, 'valor', 'valores')}`,
    noRows: 'sin filas',
    emptyCells: 'Qué significan «sin cifra» y «–»',
    save: 'Guardar esto',
    saves: {
      csv: 'CSV',
      xlsx: 'Excel',
      json: 'JSON',
      parquet: 'Parquet',
      png: 'Imagen',
      svg: 'Imagen como SVG',
      link: 'Copiar enlace',
      embed: 'Insertar',
      api: 'Solicitud a la API',
    },
  },
};
